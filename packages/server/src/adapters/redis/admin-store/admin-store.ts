// Overrides and their audit in Redis: four hashes, a counter of changes and a stream of audit lines, all on one slot, so
// that a change and its line are one script. They are settings, so they have a size limit and no expiry.
import { USER_OVERRIDES_MAX } from '#domain/budget/overrides.ts'
import type { ExperimentState } from '#domain/experiments/experiment-state.ts'
import type { UserOverride } from '#domain/budget/overrides.ts'
import { SETTINGS_MAX } from '#domain/settings/run-settings.ts'
import type { Setting } from '#domain/settings/run-settings.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { OperableRedis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export const NUMBER_KEY = 'ma:{admin}:number'
export const AUDIT_KEY = 'ma:{admin}:audit'
export const TIERS_KEY = 'ma:{admin}:tiers'
export const USERS_KEY = 'ma:{admin}:users'
export const EXPERIMENTS_KEY = 'ma:{admin}:experiments'
export const SETTINGS_KEY = 'ma:{admin}:settings'
export const HASH_KEY_KEY = 'ma:{admin}:experiment-key'
const PAGE_ENTRIES = 200
/** Beyond this number the oldest lines are removed; a shop that needs them longer exports them. */
export const AUDIT_ENTRIES_MAX = 100_000

const NOTE = `
local function note(entry, before)
  local number = redis.call('INCR', KEYS[1])
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', '${AUDIT_ENTRIES_MAX}', number .. '-0', 'entry', entry, 'before', before)
  return number
end
`

/** KEYS: counter, audit. ARGV from 2: entry, before. */
const ADD_NOTE = script('admin-note', `${NOTE}return note(ARGV[2], ARGV[3])`)

/**
 * KEYS: counter, audit, hash. ARGV from 2: entry, field, value (empty removes it), the most fields allowed, the operator's
 * time. Returns the number and the previous value, or nothing when there is no room.
 */
const SET = script(
  'admin-set',
  `${NOTE}
local entry, field, value, fieldsMax, at = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local before = redis.call('HGET', KEYS[3], field) or ''
if value == '' then
  redis.call('HDEL', KEYS[3], field)
else
  if before == '' and redis.call('HLEN', KEYS[3]) >= fieldsMax then
    local rows = redis.call('HGETALL', KEYS[3])
    for i = 1, #rows, 2 do
      local expiresAt = cjson.decode(rows[i + 1]).expiresAt
      if expiresAt and expiresAt <= at then redis.call('HDEL', KEYS[3], rows[i]) end
    end
    if redis.call('HLEN', KEYS[3]) >= fieldsMax then return false end
  end
  redis.call('HSET', KEYS[3], field, value)
end
return { note(entry, before), before }`,
)

/**
 * KEYS: counter, audit, states, key of the hash. ARGV from 2: entry, experiment, state, the state before (empty for none), a
 * new key. Returns the number, or nothing when the state is another.
 */
const SET_EXPERIMENT = script(
  'admin-experiment',
  `${NOTE}
local entry, name, state, before, newKey = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if (redis.call('HGET', KEYS[3], name) or '') ~= before then return false end
redis.call('HSET', KEYS[3], name, state)
redis.call('SETNX', KEYS[4], newKey)
return note(entry, before)`,
)

/** KEYS: counter, tiers, users, experiments, key of the hash, settings. ARGV from 2: the version that the caller has. */
const READ = script(
  'admin-read',
  `local version = tonumber(redis.call('GET', KEYS[1]) or 0)
if version == tonumber(ARGV[2]) then return false end
return {
  version,
  redis.call('HGETALL', KEYS[2]),
  redis.call('HGETALL', KEYS[3]),
  redis.call('HGETALL', KEYS[4]),
  redis.call('GET', KEYS[5]) or '',
  redis.call('HGETALL', KEYS[6]),
}`,
)

const READ_KEYS = [NUMBER_KEY, TIERS_KEY, USERS_KEY, EXPERIMENTS_KEY, HASH_KEY_KEY, SETTINGS_KEY]

type Entry = Omit<AuditEntry, 'number' | 'before'>
/** As `READ` answers. */
type Read = [number, string[], string[], string[], string, string[]]
type StreamRow = readonly [string, readonly string[]]

export interface RedisAdminStoreOptions {
  readonly redis: Pick<OperableRedis, 'run' | 'runAlways' | 'command'>
  readonly usersMax?: number
  readonly settingsMax?: number
}

export function redisAdminStore(options: RedisAdminStoreOptions): AdminStore {
  const { redis, usersMax = USER_OVERRIDES_MAX, settingsMax = SETTINGS_MAX } = options

  /** `field` is the subject of the entry unless it is given. */
  function changeOf(max: number, entry: Entry, field = entry.subject): (string | number)[] {
    return [JSON.stringify(entry), field, entry.after === null ? '' : JSON.stringify(entry.after), max, entry.at]
  }

  async function set(key: string, max: number, entry: Entry): Promise<AuditEntry | undefined> {
    return noted(entry, await redis.run(SET, [NUMBER_KEY, AUDIT_KEY, key], changeOf(max, entry)))
  }

  function noted(entry: Entry, reply: unknown): AuditEntry | undefined {
    if (reply === null) return undefined
    const [number, before] = reply as [number, string]
    return { number, ...entry, before: parsed(before) }
  }

  async function read(below: number | undefined, count: number): Promise<readonly AuditEntry[]> {
    const from = below === undefined ? '+' : `(${below}-0`
    const rows = await redis.command(AUDIT_KEY, 'XREVRANGE', AUDIT_KEY, from, '-', 'COUNT', String(count))
    return (rows as readonly StreamRow[]).map(([id, [, entry = '', , before = '']]) => ({
      number: Number.parseInt(id),
      ...(JSON.parse(entry) as Entry),
      before: parsed(before),
    }))
  }

  return {
    async overrides(knownVersion) {
      const reply = await redis.run(READ, READ_KEYS, [knownVersion ?? -1])
      if (reply === null) return undefined
      const [version, tiers, users, experiments, key, settings] = reply as Read
      return {
        version,
        tiers: toMap<Partial<TierFigures>>(tiers),
        users: toMap<UserOverride>(users),
        experiments: { states: toMap<ExperimentState>(experiments), ...(key === '' ? {} : { key }) },
        settings: toMap<Setting>(settings),
      }
    },
    async setTier(tier, figures, change) {
      const action = figures === undefined ? 'tier-cleared' : 'tier-set'
      const entry = { ...change, action, subject: tier, after: figures ?? null } as const
      const noted = await set(TIERS_KEY, Number.MAX_SAFE_INTEGER, entry)
      if (noted === undefined) throw new Error('there is room for every tier')
      return noted
    },
    setUser(principalId, override, change) {
      const action = override === undefined ? 'user-cleared' : 'user-set'
      return set(USERS_KEY, usersMax, { ...change, action, subject: principalId, after: override ?? null })
    },
    async setExperiment(name, { action, before, after, newKey }, change) {
      const entry: Entry = { ...change, action, subject: name, after }
      const known = before === undefined ? '' : JSON.stringify(before)
      const args = [JSON.stringify(entry), name, JSON.stringify(after), known, newKey]
      const number = await redis.run(SET_EXPERIMENT, [NUMBER_KEY, AUDIT_KEY, EXPERIMENTS_KEY, HASH_KEY_KEY], args)
      return number === null ? undefined : { number: Number(number), ...entry, before: before ?? null }
    },
    async setSetting(name, setting, change) {
      const entry: Entry = { ...change, after: setting ?? null }
      // Also while an operator forces Redis's circuit open, or the mode could not be changed until a restart.
      const keys = [NUMBER_KEY, AUDIT_KEY, SETTINGS_KEY]
      return noted(entry, await redis.runAlways(SET, keys, changeOf(settingsMax, entry, name)))
    },
    async note({ before, ...entry }) {
      const args = [JSON.stringify(entry), before === null ? '' : JSON.stringify(before)]
      // Also while an operator forces Redis's circuit open: an action that cannot be audited could never be undone.
      const number = await redis.runAlways(ADD_NOTE, [NUMBER_KEY, AUDIT_KEY], args)
      return { number: Number(number), ...entry, before }
    },
    async audit({ limit, below, subject }) {
      const found: AuditEntry[] = []
      let from = below
      for (;;) {
        const entries = await read(from, PAGE_ENTRIES)
        found.push(...entries.filter((entry) => (subject ?? entry.subject) === entry.subject))
        if (found.length >= limit || entries.length < PAGE_ENTRIES) return found.slice(0, limit)
        from = entries.at(-1)?.number
      }
    },
  }
}

const parsed = (text: string): unknown => (text === '' ? null : JSON.parse(text))

function toMap<Value>(flat: readonly string[]): ReadonlyMap<string, Value> {
  const entries = Array.from(
    { length: flat.length / 2 },
    (_, index) => [flat[2 * index] ?? '', JSON.parse(flat[2 * index + 1] ?? '') as Value] as const,
  )
  return new Map(entries)
}
