// Stores whole conversations of another store in Redis, as `session-store.ts` would have written them: one script for each, on the
// slot of its first owner. For `mangaassist migrate`.
import type { SessionImport } from '#ports/migration/imports.ts'
import type { Session } from '#ports/session-store/port.ts'
import { script } from '../client/script.ts'
import { SESSION_ALIVE, GUESTS_KEPT, GUESTS_MAX, guestsOf, sessionKeysOf, OwnerIndex } from './session-store.ts'
import type { RedisSessionStoreOptions } from './session-store.ts'

/**
 * KEYS: head, turns, sessions, left, heirs. ARGV from 3: id, the heir or nothing, the last activity, the number of fields of the
 * head, those fields, then ids and texts of turns.
 */
const IMPORT = script(
  'session-import',
  `${SESSION_ALIVE}if alive(KEYS[1]) then return 0 end
local id, heir, last, fields = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if last + keep_ms <= now then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
for index = 7, 6 + fields, 2 do redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
local version = 0
for index = 7 + fields, #ARGV, 2 do
  version = version + 1
  redis.call('HSET', KEYS[1], 'turn:' .. ARGV[index], version)
  redis.call('RPUSH', KEYS[2], ARGV[index + 1])
end
redis.call('HSET', KEYS[1], 'version', version)
redis.call('ZREM', KEYS[3], id)
redis.call('ZREM', KEYS[4], id)
redis.call('HDEL', KEYS[5], id)
if heir ~= '' then redis.call('HSET', KEYS[5], id, heir) end
redis.call('ZADD', heir == '' and KEYS[3] or KEYS[4], -last, id)
for index = 1, 2 do redis.call('PEXPIRE', KEYS[index], last + keep_ms - now) end
for index = 3, 5 do redis.call('PEXPIRE', KEYS[index], keep_ms) end
return 1`,
)

/** KEYS: guests. ARGV from 3: the guest, the time. */
const REMEMBER = script(
  'session-import-guest',
  `redis.call('ZADD', KEYS[1], 'GT', ARGV[4], ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${GUESTS_MAX + 1})
redis.call('PEXPIRE', KEYS[1], ${GUESTS_KEPT} * tonumber(ARGV[2]))
return 1`,
)

export function redisSessionImport(options: RedisSessionStoreOptions): SessionImport {
  const { clock, keepMs, redis } = options
  const owners = new OwnerIndex(options)
  return {
    async add(session, turns) {
      const { id, inheritedFrom, lastActiveAt, principalId, version } = session
      if (turns.length !== version) throw new RangeError(`${id} has ${turns.length} turns at version ${version}`)
      if (lastActiveAt + keepMs <= clock.now()) return false
      const place = inheritedFrom ?? principalId
      if ((await owners.claim(id, place)) !== place) return false
      const heir = inheritedFrom === undefined ? '' : principalId
      const fields = fieldsOf(session)
      const args = [keepMs, id, heir, lastActiveAt, fields.length, ...fields]
      const texts = turns.flatMap((turn) => [turn.turnId, JSON.stringify(turn)])
      const isNew = (await redis.run(IMPORT, sessionKeysOf(place, id), [...args, ...texts])) === 1
      // Also in a repeat: the run before may have ended here.
      if (heir !== '') await redis.run(REMEMBER, [guestsOf(heir)], [keepMs, place, lastActiveAt])
      return isNew
    },
  }
}

function fieldsOf({ createdAt, lastActiveAt, summary, title }: Session): readonly (string | number)[] {
  const head = ['title', title, 'createdAt', createdAt, 'lastActiveAt', lastActiveAt]
  if (summary === undefined) return head
  return [...head, 'summary', summary.text, 'summaryUpTo', summary.upTo, 'summaryAt', summary.at]
}
