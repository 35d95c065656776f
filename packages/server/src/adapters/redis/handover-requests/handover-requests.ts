// Requests for a person that the nodes share. They are few, so all are on one slot: the requests as JSON, and sorted sets of
// their ids by time, of all, of each state, of each conversation and of each person. A change is a compare-and-set of the
// JSON. All keys expire after `keepMs` without a new request.
import type { HandoverRequest, HandoverRequests, HandoverState } from '#ports/handover-requests/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisHandoverRequestsOptions {
  readonly redis: Redis
  /** How long a request is kept; it is removed with its conversation before. */
  readonly keepMs: number
}

const key = (name: string) => `ma:{handovers}:${name}`
const REQUESTS = key('requests')
const ALL = key('all')
const keyOfState = (state: HandoverState) => key(state)
const keyOfSession = (sessionId: string) => key(`in:${sessionId}`)
const keyOfPrincipal = (principalId: string) => key(`of:${principalId}`)
const setsOf = ({ principalId, sessionId, state }: HandoverRequest) => [
  ALL,
  keyOfState(state),
  keyOfSession(sessionId),
  keyOfPrincipal(principalId),
]

/**
 * KEYS: requests, open, closed, conversation, person, all. ARGV from 2: keepMs, id, at, request, then the limit or nothing: how many, since when.
 * Returns the stored request, or nothing above the limit.
 */
const ADD = script(
  'handover-add',
  `local call, requests, closed, session, person = redis.call, KEYS[1], KEYS[3], KEYS[4], KEYS[5]
for _, id in ipairs(call('ZREVRANGE', session, 0, -1)) do
  if not call('ZSCORE', closed, id) then return call('HGET', requests, id) end
end
if ARGV[6] and call('ZCOUNT', person, '(' .. ARGV[7], '+inf') >= tonumber(ARGV[6]) then return false end
call('HSET', requests, ARGV[3], ARGV[5])
call('PEXPIRE', requests, ARGV[2])
for index = 2, #KEYS do
  if index ~= 3 then
    call('ZADD', KEYS[index], ARGV[4], ARGV[3])
    call('PEXPIRE', KEYS[index], ARGV[2])
  end
end
return ARGV[5]`,
)

/** KEYS: requests, the set that the request leaves, the set that it joins. ARGV from 2: keepMs, id, at, before, after. */
const CHANGE = script(
  'handover-change',
  `local call = redis.call
if call('HGET', KEYS[1], ARGV[3]) ~= ARGV[5] then return 0 end
call('HSET', KEYS[1], ARGV[3], ARGV[6])
call('ZREM', KEYS[2], ARGV[3])
call('ZADD', KEYS[3], ARGV[4], ARGV[3])
call('PEXPIRE', KEYS[3], ARGV[2])
return 1`,
)

/** KEYS: requests, a set. ARGV from 2: at, id, limit. Returns requests that are older than this position, newest first. */
const LIST = script(
  'handover-list',
  `local found, limit, offset = {}, tonumber(ARGV[4]), 0
while #found < limit do
  local ids = redis.call('ZREVRANGEBYSCORE', KEYS[2], ARGV[2], '-inf', 'WITHSCORES', 'LIMIT', offset, limit)
  if #ids == 0 then break end
  for index = 1, #ids, 2 do
    local isAfter = ids[index + 1] ~= ARGV[2] or ids[index] < ARGV[3]
    if isAfter and #found < limit then found[#found + 1] = redis.call('HGET', KEYS[1], ids[index]) end
  end
  offset = offset + limit
end
return found`,
)

/** KEYS: requests, sets. ARGV from 2: id, request. Returns 1 if it was there as the caller read it. */
const REMOVE = script(
  'handover-remove',
  `if redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[2])
for index = 2, #KEYS do redis.call('ZREM', KEYS[index], ARGV[2]) end
return 1`,
)

/** A request that changes this often meanwhile does not exist. */
const TRIES_MAX = 20
/** How many requests of a person or a conversation are read at once. */
const READ_MAX = 1000

export function redisHandoverRequests({ redis, keepMs }: RedisHandoverRequestsOptions): HandoverRequests {
  const read = async (id: string) => {
    const stored = await redis.command(REQUESTS, 'HGET', REQUESTS, id)
    return typeof stored === 'string' ? stored : undefined
  }
  const find = async (id: string) => {
    const stored = await read(id)
    return stored === undefined ? undefined : (JSON.parse(stored) as HandoverRequest)
  }
  const listIn = async (set: string, limit: number, after?: { readonly at: number; readonly id: string }) => {
    const args = [after?.at ?? '+inf', after?.id ?? '', Math.max(1, limit)]
    const found = (await redis.run(LIST, [REQUESTS, set], args)) as readonly string[]
    return found.map((stored) => JSON.parse(stored) as HandoverRequest)
  }

  /** Returns whether the request was still there. */
  async function remove(id: string): Promise<boolean> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const stored = await read(id)
      if (stored === undefined) return false
      const sets = setsOf(JSON.parse(stored) as HandoverRequest)
      if ((await redis.run(REMOVE, [REQUESTS, ...sets], [id, stored])) === 1) return true
    }
    return false
  }

  async function removeAll(ids: readonly string[]): Promise<number> {
    let removed = 0
    for (const id of ids) if (await remove(id)) removed += 1
    return removed
  }

  /** Undefined when there is none, or `changed` returns nothing for it. */
  async function change(
    id: string,
    changed: (request: HandoverRequest) => HandoverRequest | undefined,
    setOf: (request: HandoverRequest) => string,
  ): Promise<HandoverRequest | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const stored = await read(id)
      const before = stored === undefined ? undefined : (JSON.parse(stored) as HandoverRequest)
      const after = before && changed(before)
      if (stored === undefined || before === undefined || after === undefined) return undefined
      const args = [keepMs, id, before.at, stored, JSON.stringify(after)]
      if ((await redis.run(CHANGE, [REQUESTS, setOf(before), setOf(after)], args)) === 1) return after
    }
    return undefined
  }

  return {
    async add(asked, limit) {
      const request: HandoverRequest = { ...asked, state: 'open' }
      const others = [keyOfPrincipal(asked.principalId), ALL]
      const keys = [REQUESTS, key('open'), key('closed'), keyOfSession(asked.sessionId), ...others]
      const bounds = limit === undefined ? [] : [limit.max, limit.since]
      const stored = await redis.run(ADD, keys, [keepMs, asked.id, asked.at, JSON.stringify(request), ...bounds])
      return typeof stored === 'string' ? (JSON.parse(stored) as HandoverRequest) : undefined
    },
    find,
    move: (id, { changed, from, to }) =>
      change(
        id,
        (request) => (from.includes(request.state) ? { ...request, state: to, changed } : undefined),
        ({ state }) => keyOfState(state),
      ),
    list: ({ after, limit, state }) => listIn(state === undefined ? ALL : keyOfState(state), limit, after),
    ofSession: (sessionId) => listIn(keyOfSession(sessionId), READ_MAX),
    ofPrincipal: (principalId) => listIn(keyOfPrincipal(principalId), READ_MAX),
    async forget(of) {
      const set = 'sessionId' in of ? keyOfSession(of.sessionId) : keyOfPrincipal(of.principalId)
      return removeAll(((await redis.command(set, 'ZRANGE', set, '0', '-1')) as readonly string[]) ?? [])
    },
    async adopt(guestId, userId) {
      for (const { id } of await listIn(keyOfPrincipal(guestId), READ_MAX))
        await change(
          id,
          (request) => ({ ...request, principalId: userId }),
          ({ principalId }) => keyOfPrincipal(principalId),
        )
    },
    async sweep(before, limit) {
      const range = ['-inf', `(${before}`, 'LIMIT', '0', String(limit)]
      return removeAll((await redis.command(ALL, 'ZRANGEBYSCORE', ALL, ...range)) as readonly string[])
    },
  }
}
