// Conversations in Redis. All of a principal's are on one slot, so that append, removal and list agree; the version in the
// head is the compare-and-set, and turns are entries of a list, never rewritten. A conversation idle for `keepMs` expires;
// a small index on a slot of its own leads from a conversation to its slot. A conversation that a user adopted from a guest
// stays on its slot, so nothing is copied and no append is lost: the guest's slot names the new owner, and the user's slot
// names the guests.
import { inOrderAsked } from '#domain/turn/turn-order.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import { ADOPTED_MAX } from '#ports/session-store/port.ts'
import type { AppendResult, Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisSessionStoreOptions {
  readonly redis: Redis
  readonly clock: Clock
  /** How long a conversation is stored after its last activity. */
  readonly keepMs: number
}

/** How many guests one user can have adopted from; each is read when the user's conversations are listed. */
export const GUESTS_MAX = 32
/** In lifetimes of a conversation: only listing renews the entry, not a turn in an adopted conversation. */
export const GUESTS_KEPT = 4

/** Redis expires keys late, and a test's clock is not its own: an expired conversation is treated as missing. */
export const SESSION_ALIVE = `local keep_ms = tonumber(ARGV[2])
local function alive(head)
  local last = redis.call('HGET', head, 'lastActiveAt')
  return last and tonumber(last) + keep_ms > now
end
`

/** KEYS: head, turns, sessions, left, heirs. ARGV from 3: id, title, createdAt, lastActiveAt. */
const CREATE = script(
  'session-create',
  `${SESSION_ALIVE}if alive(KEYS[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[4], ARGV[3])
redis.call('HDEL', KEYS[5], ARGV[3])
redis.call('HSET', KEYS[1], 'title', ARGV[4], 'version', 0, 'createdAt', ARGV[5], 'lastActiveAt', ARGV[6])
redis.call('PEXPIRE', KEYS[1], keep_ms)
redis.call('ZREMRANGEBYSCORE', KEYS[3], keep_ms - now, '+inf')
redis.call('ZADD', KEYS[3], -tonumber(ARGV[6]), ARGV[3])
redis.call('PEXPIRE', KEYS[3], keep_ms)
return 1`,
)

/** KEYS: head, turns, sessions, left, heirs. ARGV from 3: id, expected version, turn id, turn. */
const APPEND = script(
  'session-append',
  `${SESSION_ALIVE}if not alive(KEYS[1]) then return {'gone'} end
local repeated = redis.call('HGET', KEYS[1], 'turn:' .. ARGV[5])
if repeated then return {'appended', repeated} end
local version = redis.call('HGET', KEYS[1], 'version')
if version ~= ARGV[4] then return {'conflict', version} end
version = tonumber(version) + 1
local last = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'lastActiveAt')))
redis.call('RPUSH', KEYS[2], ARGV[6])
redis.call('HSET', KEYS[1], 'version', version, 'lastActiveAt', last, 'turn:' .. ARGV[5], version)
local list = redis.call('HEXISTS', KEYS[5], ARGV[3]) == 1 and KEYS[4] or KEYS[3]
redis.call('ZREMRANGEBYSCORE', list, keep_ms - now, '+inf')
redis.call('ZADD', list, -last, ARGV[3])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, keep_ms) end
return {'appended', tostring(version)}`,
)

/** KEYS: head. ARGV from 3: the last version included, the text. */
const SUMMARISE = script(
  'session-summarise',
  `${SESSION_ALIVE}if not alive(KEYS[1]) then return 0 end
local version, before = unpack(redis.call('HMGET', KEYS[1], 'version', 'summaryUpTo'))
local up_to = tonumber(ARGV[3])
if up_to > tonumber(version) or up_to <= tonumber(before or 0) then return 0 end
redis.call('HSET', KEYS[1], 'summary', ARGV[4], 'summaryUpTo', ARGV[3], 'summaryAt', now)
return 1`,
)

/**
 * KEYS: heirs, heads. ARGV from 3: ids. Returns the fields and the heir of live conversations, and nothing for the others.
 */
const READ = script(
  'session-read',
  `${SESSION_ALIVE}local found = {}
for index = 2, #KEYS do
  local fields = {}
  if alive(KEYS[index]) then
    fields = redis.call('HMGET', KEYS[index], 'title', 'version', 'createdAt', 'lastActiveAt', 'summary', 'summaryUpTo',
      'summaryAt')
    fields[8] = redis.call('HGET', KEYS[1], ARGV[index + 1]) or ''
  end
  found[index - 1] = fields
end
return found`,
)

/** KEYS: head, turns. ARGV[3]: the limit. */
const RECENT = script(
  'session-recent',
  `${SESSION_ALIVE}if not alive(KEYS[1]) then return {} end
return redis.call('LRANGE', KEYS[2], -tonumber(ARGV[3]), -1)`,
)

/**
 * KEYS: sessions, guests. ARGV[3]: the limit. The score is the negative time of activity: newest first, then by id. Returns
 * the ids, and the guests that the principal adopted from, each followed by the time.
 */
const LIST = script(
  'session-list',
  `${SESSION_ALIVE}local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (keep_ms - now), 'LIMIT', 0, ARGV[3])
local guests = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
if #guests > 0 then redis.call('PEXPIRE', KEYS[2], ${GUESTS_KEPT} * keep_ms) end
return {ids, guests}`,
)

/**
 * KEYS: left, heirs. ARGV from 3: the heir, the limit. Of a guest's adopted conversations, returns those of this heir in
 * list order.
 */
const INHERITED = script(
  'session-inherited',
  `${SESSION_ALIVE}local ids = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (keep_ms - now))) do
  if #ids == tonumber(ARGV[4]) then break end
  if redis.call('HGET', KEYS[2], id) == ARGV[3] then ids[#ids + 1] = id end
end
return ids`,
)

/**
 * KEYS: sessions, left, heirs. ARGV from 3: the heir, the limit. Returns whether the heir has any conversation of the
 * guest.
 */
const ADOPT = script(
  'session-adopt',
  `${SESSION_ALIVE}local rows = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[4]) - 1, 'WITHSCORES')
for index = 1, #rows, 2 do
  redis.call('HSET', KEYS[3], rows[index], ARGV[3])
  redis.call('ZADD', KEYS[2], rows[index + 1], rows[index])
  redis.call('ZREM', KEYS[1], rows[index])
end
for index = 2, 3 do redis.call('PEXPIRE', KEYS[index], keep_ms) end
for _, heir in ipairs(redis.call('HVALS', KEYS[3])) do if heir == ARGV[3] then return 1 end end
return 0`,
)

/** KEYS: guests. ARGV from 3: the guest. Beyond the limit the earliest guest is removed. */
const REMEMBER_GUEST = script(
  'session-remember-guest',
  `local keep_ms = tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${GUESTS_MAX + 1})
redis.call('PEXPIRE', KEYS[1], ${GUESTS_KEPT} * keep_ms)
return 1`,
)

/** KEYS: guests. ARGV from 2: the guest and its time: an entry that was renewed meanwhile stays. */
const FORGET_GUEST = script(
  'session-forget-guest',
  `if redis.call('ZSCORE', KEYS[1], ARGV[2]) ~= ARGV[3] then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[2])`,
)

/** KEYS: head, turns, sessions, left, heirs. ARGV[3]: id. */
const REMOVE = script(
  'session-remove',
  `redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[3])
redis.call('ZREM', KEYS[4], ARGV[3])
redis.call('HDEL', KEYS[5], ARGV[3])
return 1`,
)

export function redisSessionStore({ redis, clock, keepMs }: RedisSessionStoreOptions): SessionStore {
  const owners = new OwnerIndex({ redis, clock, keepMs })

  /** Reads conversations on the slot of `placeId`. */
  async function readHeads(placeId: string, ids: readonly string[]): Promise<readonly Session[]> {
    if (ids.length === 0) return []
    const keys = [heirsOf(placeId), ...ids.map((id) => headOf(placeId, id))]
    const found = (await redis.run(READ, keys, [keepMs, ...ids])) as readonly (readonly Field[])[]
    return found.flatMap((fields, index) => toSession(ids[index] ?? '', placeId, fields))
  }

  async function inherited(userId: string, guest: { id: string; since: string }, limit: number) {
    const ids = await redis.run(INHERITED, [leftBy(guest.id), heirsOf(guest.id)], [keepMs, userId, limit])
    const found = await readHeads(guest.id, ids as readonly string[])
    if (found.length === 0) await redis.run(FORGET_GUEST, [guestsOf(userId)], [guest.id, guest.since])
    return found
  }

  return {
    async create({ id, principalId, title, createdAt, lastActiveAt }) {
      // The id belongs to another principal's conversation, which stays as it is.
      if ((await owners.claim(id, principalId)) !== principalId) return
      await redis.run(CREATE, sessionKeysOf(principalId, id), [keepMs, id, title, createdAt, lastActiveAt])
    },
    async find(sessionId) {
      const principalId = await owners.of(sessionId)
      return principalId === undefined ? undefined : (await readHeads(principalId, [sessionId]))[0]
    },
    async recentTurns(sessionId, limit) {
      const principalId = limit <= 0 ? undefined : await owners.of(sessionId)
      if (principalId === undefined) return []
      const [head, turns] = sessionKeysOf(principalId, sessionId)
      const found = (await redis.run(RECENT, [head, turns], [keepMs, limit])) as readonly string[]
      return inOrderAsked(found.map((turn) => JSON.parse(turn) as StoredTurn))
    },
    async append(sessionId, expectedVersion, turn): Promise<AppendResult> {
      const principalId = await owners.of(sessionId)
      if (principalId === undefined) return { kind: 'gone' }
      const args = [keepMs, sessionId, expectedVersion, turn.turnId, JSON.stringify(turn)]
      const [kind, version] = (await redis.run(APPEND, sessionKeysOf(principalId, sessionId), args)) as [
        AppendResult['kind'],
        string?,
      ]
      return kind === 'gone' ? { kind } : { kind, version: Number(version) }
    },
    async summarise(sessionId, upTo, text) {
      const principalId = await owners.of(sessionId)
      if (principalId === undefined) return false
      return (await redis.run(SUMMARISE, [headOf(principalId, sessionId)], [keepMs, upTo, text])) === 1
    },
    async listOf(principalId, limit) {
      if (limit <= 0) return []
      const keys = [sessionsOf(principalId), guestsOf(principalId)]
      const [ids, guests] = (await redis.run(LIST, keys, [keepMs, limit])) as readonly [string[], string[]]
      const left = inPairs(guests).map(([id, since]) => inherited(principalId, { id, since }, limit))
      const found = (await Promise.all([readHeads(principalId, ids), ...left])).flat()
      return found.sort((a, b) => b.lastActiveAt - a.lastActiveAt || (a.id < b.id ? -1 : 1)).slice(0, limit)
    },
    async remove(sessionId) {
      const principalId = await owners.of(sessionId)
      if (principalId === undefined) return
      await redis.run(REMOVE, sessionKeysOf(principalId, sessionId), [keepMs, sessionId])
      await owners.forget(sessionId)
    },
    async adopt(guestId, userId) {
      const keys = [sessionsOf(guestId), leftBy(guestId), heirsOf(guestId)]
      // The guest's slot first: if the second step is lost, a repeat finds the adopted conversations and does it again.
      if ((await redis.run(ADOPT, keys, [keepMs, userId, ADOPTED_MAX])) === 1)
        await redis.run(REMEMBER_GUEST, [guestsOf(userId)], [keepMs, guestId])
    },
    // Nothing to do: every script sets the expiry of the keys that it writes.
    async sweep() {
      return 0
    },
  }
}

const CACHED_MAX = 10_000

/**
 * Finds the slot of a conversation: that of its first owner. It never changes, so it is cached here too. The entry in Redis
 * lives twice as long as an idle conversation and a read renews it; the cache is used for half of that, so it never expires
 * first.
 */
export class OwnerIndex {
  readonly #options: RedisSessionStoreOptions
  readonly #cached = new BoundedMap<string, { readonly principalId: string; readonly until: number }>(CACHED_MAX)

  constructor(options: RedisSessionStoreOptions) {
    this.#options = options
  }

  /** Returns the owner: the first principal that claimed it. */
  async claim(sessionId: string, principalId: string): Promise<string> {
    const { redis } = this.#options
    const key = ownerKey(sessionId)
    const first = await redis.command(key, 'SET', key, principalId, 'NX', 'GET', 'PX', this.#expiryMs())
    const owner = typeof first === 'string' ? first : principalId
    // Only a read renews the expiry of an existing claim.
    if (typeof first !== 'string') this.#remember(sessionId, owner)
    return owner
  }

  async of(sessionId: string): Promise<string | undefined> {
    const { clock, redis } = this.#options
    const cached = this.#cached.get(sessionId)
    if (cached !== undefined && cached.until > clock.now()) return cached.principalId
    const key = ownerKey(sessionId)
    const owner = await redis.command(key, 'GETEX', key, 'PX', this.#expiryMs())
    if (typeof owner !== 'string') return undefined
    this.#remember(sessionId, owner)
    return owner
  }

  async forget(sessionId: string): Promise<void> {
    this.#cached.delete(sessionId)
    const key = ownerKey(sessionId)
    await this.#options.redis.command(key, 'DEL', key)
  }

  #expiryMs(): string {
    return String(2 * this.#options.keepMs)
  }

  #remember(sessionId: string, principalId: string): void {
    const { clock, keepMs } = this.#options
    this.#cached.set(sessionId, { principalId, until: clock.now() + keepMs })
  }
}

const ownerKey = (sessionId: string): string => `ma:{sess:${tagged(sessionId)}}:owner`
/** The guests that a user adopted from. */
export const guestsOf = (userId: string): string => `ma:{user:${tagged(userId)}}:guests`
/** A guest's adopted conversations, as a list like its own, and their heirs. */
const leftBy = (guestId: string): string => `ma:{user:${tagged(guestId)}}:left`
const heirsOf = (guestId: string): string => `ma:{user:${tagged(guestId)}}:heirs`
const sessionsOf = (principalId: string): string => `ma:{user:${tagged(principalId)}}:sessions`
const headOf = (principalId: string, id: string): string => `ma:{user:${tagged(principalId)}}:sess:${id}`

export function sessionKeysOf(placeId: string, id: string): readonly [string, string, ...string[]] {
  const head = headOf(placeId, id)
  return [head, `${head}:turns`, sessionsOf(placeId), leftBy(placeId), heirsOf(placeId)]
}

function inPairs(values: readonly string[]): readonly [string, string][] {
  return values.flatMap((value, index): [string, string][] =>
    index % 2 === 0 ? [[value, values[index + 1] ?? '']] : [],
  )
}

/** A brace in a name would end the hash tag early, and the keys would not share a slot. */
function tagged(name: string): string {
  return encodeURIComponent(name)
}

/** A missing field of a hash is null. */
type Field = string | null

function toSession(id: string, placeId: string, fields: readonly Field[]): readonly Session[] {
  const [title, version, createdAt, lastActiveAt, text, upTo, at, heir] = fields
  if (typeof title !== 'string') return []
  const isHeirs = typeof heir === 'string' && heir !== ''
  const owner = isHeirs ? { principalId: heir, inheritedFrom: placeId } : { principalId: placeId }
  const times = { createdAt: Number(createdAt), lastActiveAt: Number(lastActiveAt) }
  const summary = typeof text === 'string' ? { summary: { text, upTo: Number(upTo), at: Number(at) } } : {}
  return [{ id, ...owner, title, version: Number(version), ...times, ...summary }]
}
