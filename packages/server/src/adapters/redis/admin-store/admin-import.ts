// Stores overrides, states of experiments and the audit of another store in Redis, with the numbers of the lines. What exists is
// newer and stays. For `mangaassist migrate`.
import type { AdminImport } from '#ports/migration/imports.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import {
  AUDIT_ENTRIES_MAX,
  AUDIT_KEY,
  EXPERIMENTS_KEY,
  HASH_KEY_KEY,
  NUMBER_KEY,
  SETTINGS_KEY,
  TIERS_KEY,
  USERS_KEY,
} from './admin-store.ts'

/** KEYS: the key of the hash, tiers, users, experiments, settings. ARGV from 2: the key or nothing, then index of KEYS, field, value. */
const ADD_SETTINGS = script(
  'admin-import-settings',
  `if ARGV[2] ~= '' then redis.call('SETNX', KEYS[1], ARGV[2]) end
for index = 3, #ARGV, 3 do redis.call('HSETNX', KEYS[tonumber(ARGV[index])], ARGV[index + 1], ARGV[index + 2]) end
return 1`,
)

/** KEYS: counter, audit. ARGV from 2: number, entry, before, in turn. */
const ADD_AUDIT = script(
  'admin-import-audit',
  `local newest = tonumber(redis.call('GET', KEYS[1]) or 0)
for index = 2, #ARGV, 3 do
  local number = tonumber(ARGV[index])
  if number > newest then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', '${AUDIT_ENTRIES_MAX}', ARGV[index] .. '-0', 'entry', ARGV[index + 1],
      'before', ARGV[index + 2])
    newest = number
  end
end
redis.call('SET', KEYS[1], string.format('%.0f', newest))
return 1`,
)

export function redisAdminImport({ redis }: { readonly redis: Pick<Redis, 'run'> }): AdminImport {
  return {
    auditLinesMax: AUDIT_ENTRIES_MAX,
    async addSettings({ experiments, settings, tiers, users }) {
      const fields = [tiers, users, experiments.states, settings].flatMap((map, place) =>
        [...map].flatMap(([name, value]) => [place + 2, name, JSON.stringify(value)]),
      )
      const keys = [HASH_KEY_KEY, TIERS_KEY, USERS_KEY, EXPERIMENTS_KEY, SETTINGS_KEY]
      await redis.run(ADD_SETTINGS, keys, [experiments.key ?? '', ...fields])
    },
    async addAudit(entries) {
      if (entries.length === 0) return
      const lines = entries.flatMap(({ before, number, ...entry }) => [
        number,
        JSON.stringify(entry),
        before === null ? '' : JSON.stringify(before),
      ])
      await redis.run(ADD_AUDIT, [NUMBER_KEY, AUDIT_KEY], lines)
    },
  }
}
