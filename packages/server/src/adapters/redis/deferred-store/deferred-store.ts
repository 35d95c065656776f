// Deferred questions that the nodes share. They are few, so all are on one slot: the questions, their times, their
// deadlines, their leases, and the count of each principal. Every verb is one script; keys unused for a day expire.
import type { DeferredLimits, DeferredQuestion, DeferredStore } from '#ports/deferred-store/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisDeferredStoreOptions {
  readonly redis: Redis
  readonly limits: DeferredLimits
}

const NAMES = ['questions', 'order', 'ends', 'leases', 'owners', 'counts', 'pause'] as const
const KEYS = NAMES.map((name) => `ma:{deferred}:${name}`)
const KEEP_MS = 86_400_000

const PRELUDE = `local questions, order, ends, leases, owners, counts, pause = unpack(KEYS)
local call = redis.call
local function renew()
  for _, key in ipairs({ questions, order, ends, leases, owners, counts }) do call('PEXPIRE', key, ${KEEP_MS}) end
end
`

/** ARGV from 2: turn, principal, at, expiresAt, countMax, perPrincipalMax, question. */
const ACCEPT = script(
  'deferred-accept',
  `${PRELUDE}local id, principal = ARGV[2], ARGV[3]
if call('HEXISTS', questions, id) == 1 then return 1 end
if call('HLEN', questions) >= tonumber(ARGV[6]) then return 0 end
if tonumber(call('HGET', counts, principal) or 0) >= tonumber(ARGV[7]) then return 0 end
call('HSET', questions, id, ARGV[8])
call('ZADD', order, ARGV[4], id)
call('ZADD', ends, ARGV[5], id)
call('HSET', owners, id, principal)
call('HINCRBY', counts, principal, 1)
renew()
return 1`,
)

/** ARGV from 2: limit, leaseMs, 1 for expired questions or 0 for those still owed an answer, spacingMs. */
const CLAIM = script(
  'deferred-claim',
  `${PRELUDE}local limit, taken = tonumber(ARGV[2]), {}
if ARGV[4] == '0' and tonumber(call('GET', pause) or 0) > now then return taken end
local ids = ARGV[4] == '1' and call('ZRANGEBYSCORE', ends, '-inf', now) or call('ZREVRANGE', order, 0, -1)
for _, id in ipairs(ids) do
  if #taken >= limit then break end
  local leased = tonumber(call('ZSCORE', leases, id) or 0)
  local isDue = ARGV[4] == '1' or tonumber(call('ZSCORE', ends, id)) > now
  if leased <= now and isDue then
    call('ZADD', leases, now + tonumber(ARGV[3]), id)
    taken[#taken + 1] = call('HGET', questions, id)
  end
end
if #taken > 0 then
  renew()
  if ARGV[4] == '0' then call('SET', pause, now + tonumber(ARGV[5]), 'PX', ${KEEP_MS}) end
end
return taken`,
)

/** ARGV from 2: turn. */
const DONE = script(
  'deferred-done',
  `${PRELUDE}local id = ARGV[2]
local principal = call('HGET', owners, id)
if not principal then return 0 end
call('HDEL', questions, id)
call('HDEL', owners, id)
call('ZREM', order, id)
call('ZREM', ends, id)
call('ZREM', leases, id)
if call('HINCRBY', counts, principal, -1) <= 0 then call('HDEL', counts, principal) end
return 1`,
)

/** ARGV from 2: principal. */
const OF_PRINCIPAL = script(
  'deferred-of-principal',
  `${PRELUDE}local found = {}
for _, id in ipairs(call('ZRANGE', order, 0, -1)) do
  if call('HGET', owners, id) == ARGV[2] then found[#found + 1] = call('HGET', questions, id) end
end
return found`,
)

export function redisDeferredStore({ redis, limits }: RedisDeferredStoreOptions): DeferredStore {
  const [questions = ''] = KEYS
  return {
    async accept(question) {
      const { turnId, principal, at, expiresAt } = question
      const args = [turnId, principal.id, at, expiresAt, limits.countMax, limits.perPrincipalMax]
      return (await redis.run(ACCEPT, KEYS, [...args, JSON.stringify(question)])) === 1
    },
    async claim({ limit, leaseMs, expired, spacingMs }) {
      const args = [limit, leaseMs, expired ? 1 : 0, spacingMs]
      const taken = (await redis.run(CLAIM, KEYS, args)) as readonly string[]
      return taken.map((question) => JSON.parse(question) as DeferredQuestion)
    },
    async done(turnId) {
      await redis.run(DONE, KEYS, [turnId])
    },
    async count() {
      return Number(await redis.command(questions, 'HLEN', questions))
    },
    async ofPrincipal(principalId) {
      const found = (await redis.run(OF_PRINCIPAL, KEYS, [principalId])) as readonly string[]
      return found.map((question) => JSON.parse(question) as DeferredQuestion)
    },
  }
}
