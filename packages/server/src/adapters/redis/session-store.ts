// Conversations in Redis. All of a principal's are on one slot, so that an append, a removal and the list agree; the
// version in the head is the compare-and-set, and turns are entries of a list, never rewritten. What is idle for
// `keepMs` is forgotten by its expiry; a small index on a slot of its own leads from a conversation to whose it is.
import type { Clock } from '#ports/clock.ts'
import type { AppendResult, Session, SessionStore, StoredTurn } from '#ports/session-store.ts'
import type { Redis } from './connection.ts'
import { script } from './script.ts'

export interface RedisSessionStoreOptions {
  readonly redis: Redis
  readonly clock: Clock
  /** How long a conversation is kept after its last activity. */
  readonly keepMs: number
}

/** Redis takes its time with expiries, and a test's clock is not its own: what has lapsed is treated as gone. */
const ALIVE = `local keep_ms = tonumber(ARGV[2])
local function alive(head)
  local last = redis.call('HGET', head, 'lastActiveAt')
  return last and tonumber(last) + keep_ms > now
end
`

/** KEYS: head, turns, sessions. ARGV from 3: id, title, createdAt, lastActiveAt. */
const CREATE = script(
  'session-create',
  `${ALIVE}if alive(KEYS[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'title', ARGV[4], 'version', 0, 'createdAt', ARGV[5], 'lastActiveAt', ARGV[6])
redis.call('PEXPIRE', KEYS[1], keep_ms)
redis.call('ZREMRANGEBYSCORE', KEYS[3], keep_ms - now, '+inf')
redis.call('ZADD', KEYS[3], -tonumber(ARGV[6]), ARGV[3])
redis.call('PEXPIRE', KEYS[3], keep_ms)
return 1`,
)

/** KEYS: head, turns, sessions. ARGV from 3: id, the expected version, the turn's id, the turn. */
const APPEND = script(
  'session-append',
  `${ALIVE}if not alive(KEYS[1]) then return {'gone'} end
local repeated = redis.call('HGET', KEYS[1], 'turn:' .. ARGV[5])
if repeated then return {'appended', repeated} end
local version = redis.call('HGET', KEYS[1], 'version')
if version ~= ARGV[4] then return {'conflict', version} end
version = tonumber(version) + 1
local last = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'lastActiveAt')))
redis.call('RPUSH', KEYS[2], ARGV[6])
redis.call('HSET', KEYS[1], 'version', version, 'lastActiveAt', last, 'turn:' .. ARGV[5], version)
redis.call('ZREMRANGEBYSCORE', KEYS[3], keep_ms - now, '+inf')
redis.call('ZADD', KEYS[3], -last, ARGV[3])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, keep_ms) end
return {'appended', tostring(version)}`,
)

/** KEYS: head. ARGV from 3: up to which version, the text. */
const SUMMARISE = script(
  'session-summarise',
  `${ALIVE}if not alive(KEYS[1]) then return 0 end
local version, before = unpack(redis.call('HMGET', KEYS[1], 'version', 'summaryUpTo'))
local up_to = tonumber(ARGV[3])
if up_to > tonumber(version) or up_to <= tonumber(before or 0) then return 0 end
redis.call('HSET', KEYS[1], 'summary', ARGV[4], 'summaryUpTo', ARGV[3], 'summaryAt', now)
return 1`,
)

/** KEYS: heads. Answers the fields of those that are alive, and nothing for the others. */
const READ = script(
  'session-read',
  `${ALIVE}local found = {}
for index, head in ipairs(KEYS) do
  found[index] = alive(head) and redis.call('HMGET', head, 'title', 'version', 'createdAt', 'lastActiveAt',
    'summary', 'summaryUpTo', 'summaryAt') or {}
end
return found`,
)

/** KEYS: head, turns. ARGV[3]: how many. */
const RECENT = script(
  'session-recent',
  `${ALIVE}if not alive(KEYS[1]) then return {} end
return redis.call('LRANGE', KEYS[2], -tonumber(ARGV[3]), -1)`,
)

/** KEYS: sessions. ARGV[3]: how many. Their score is the time of activity, negative: newest first, then by id. */
const LIST = script(
  'session-list',
  `${ALIVE}return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. (keep_ms - now), 'LIMIT', 0, ARGV[3])`,
)

/** KEYS: head, turns, sessions. ARGV[3]: id. */
const REMOVE = script(
  'session-remove',
  `redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[3])
return 1`,
)

export function redisSessionStore({ redis, clock, keepMs }: RedisSessionStoreOptions): SessionStore {
  const owners = new OwnerIndex({ redis, clock, keepMs })

  async function readHeads(principalId: string, ids: readonly string[]): Promise<readonly Session[]> {
    if (ids.length === 0) return []
    const heads = ids.map((id) => headOf(principalId, id))
    const found = (await redis.run(READ, heads, [keepMs])) as readonly (readonly Field[])[]
    return found.flatMap((fields, index) => toSession(ids[index] ?? '', principalId, fields))
  }

  return {
    async create({ id, principalId, title, createdAt, lastActiveAt }) {
      // Someone else's conversation of that id stays as it is.
      if ((await owners.claim(id, principalId)) !== principalId) return
      await redis.run(CREATE, keysOf(principalId, id), [keepMs, id, title, createdAt, lastActiveAt])
    },
    async find(sessionId) {
      const principalId = await owners.of(sessionId)
      return principalId === undefined ? undefined : (await readHeads(principalId, [sessionId]))[0]
    },
    async recentTurns(sessionId, limit) {
      const principalId = limit <= 0 ? undefined : await owners.of(sessionId)
      if (principalId === undefined) return []
      const [head, turns] = keysOf(principalId, sessionId)
      const found = (await redis.run(RECENT, [head, turns], [keepMs, limit])) as readonly string[]
      return found.map((turn) => JSON.parse(turn) as StoredTurn)
    },
    async append(sessionId, expectedVersion, turn): Promise<AppendResult> {
      const principalId = await owners.of(sessionId)
      if (principalId === undefined) return { kind: 'gone' }
      const args = [keepMs, sessionId, expectedVersion, turn.turnId, JSON.stringify(turn)]
      const [kind, version] = (await redis.run(APPEND, keysOf(principalId, sessionId), args)) as [
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
      const ids = (await redis.run(LIST, [sessionsOf(principalId)], [keepMs, limit])) as readonly string[]
      return readHeads(principalId, ids)
    },
    async remove(sessionId) {
      const principalId = await owners.of(sessionId)
      if (principalId === undefined) return
      await redis.run(REMOVE, keysOf(principalId, sessionId), [keepMs, sessionId])
      await owners.forget(sessionId)
    },
    // Expiry does it: each key is set to be forgotten by the script that writes it.
    async sweep() {
      return 0
    },
  }
}

const CACHED_MAX = 10_000

/**
 * Whose a conversation is; that never changes, so it is remembered here too. The entry in Redis lives twice as long as
 * an idle conversation and is renewed by a read; what is remembered is used for half of that, so it never goes first.
 */
class OwnerIndex {
  readonly #options: RedisSessionStoreOptions
  readonly #cached = new Map<string, { readonly principalId: string; readonly until: number }>()

  constructor(options: RedisSessionStoreOptions) {
    this.#options = options
  }

  /** Answers who has it: whoever came first. */
  async claim(sessionId: string, principalId: string): Promise<string> {
    const { redis } = this.#options
    const key = ownerKey(sessionId)
    const first = await redis.command(key, 'SET', key, principalId, 'NX', 'GET', 'PX', this.#expiryMs())
    const owner = typeof first === 'string' ? first : principalId
    // Of a claim that was there before, only a read renews the expiry.
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
    // Deleted first, so that the oldest entry is at the front.
    this.#cached.delete(sessionId)
    this.#cached.set(sessionId, { principalId, until: clock.now() + keepMs })
    for (const oldest of this.#cached.size > CACHED_MAX ? this.#cached.keys().take(1) : []) this.#cached.delete(oldest)
  }
}

const ownerKey = (sessionId: string): string => `ma:{sess:${tagged(sessionId)}}:owner`
const sessionsOf = (principalId: string): string => `ma:{user:${tagged(principalId)}}:sessions`
const headOf = (principalId: string, id: string): string => `ma:{user:${tagged(principalId)}}:sess:${id}`

function keysOf(principalId: string, id: string): readonly [string, string, string] {
  const head = headOf(principalId, id)
  return [head, `${head}:turns`, sessionsOf(principalId)]
}

/** A brace in a name would end the hash tag early, and with it the promise of one slot. */
function tagged(name: string): string {
  return encodeURIComponent(name)
}

/** Absent ones of a hash are null. */
type Field = string | null

function toSession(id: string, principalId: string, fields: readonly Field[]): readonly Session[] {
  const [title, version, createdAt, lastActiveAt, text, upTo, at] = fields
  if (typeof title !== 'string') return []
  const times = { createdAt: Number(createdAt), lastActiveAt: Number(lastActiveAt) }
  const summary = typeof text === 'string' ? { summary: { text, upTo: Number(upTo), at: Number(at) } } : {}
  return [{ id, principalId, title, version: Number(version), ...times, ...summary }]
}
