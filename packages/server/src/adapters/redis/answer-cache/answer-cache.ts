// Cached answers that the nodes share, in a few shards of one slot each: a hash of answers and their times. Redis must not
// evict, so each write removes expired answers and, beyond the shard's limit, the oldest.
import { createHash } from 'node:crypto'
import type { AnswerCache, AnswerCacheLimits, CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisAnswerCacheOptions {
  readonly redis: Redis
  readonly clock: Clock
  readonly limits: AnswerCacheLimits
}

const SHARDS = 16
/** Expired answers are removed a few at a time. */
const FORGET_MAX = 20

/** KEYS: answers, times. ARGV from 2: keepMs, countMax, the key, the time of the answer, the answer. */
const KEEP = script(
  'answer-keep',
  `local keep_ms, count_max, made_at = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local function forget(fields)
  if #fields == 0 then return end
  redis.call('HDEL', KEYS[1], unpack(fields))
  redis.call('ZREM', KEYS[2], unpack(fields))
end
forget(redis.call('ZRANGE', KEYS[2], '-inf', now - keep_ms, 'BYSCORE', 'LIMIT', 0, ${FORGET_MAX}))
local former = redis.call('ZSCORE', KEYS[2], ARGV[4])
if former and tonumber(former) >= made_at then return 0 end
redis.call('HSET', KEYS[1], ARGV[4], ARGV[6])
redis.call('ZADD', KEYS[2], made_at, ARGV[4])
local excess = redis.call('ZCARD', KEYS[2]) - count_max
if excess > 0 then forget(redis.call('ZRANGE', KEYS[2], 0, math.min(excess, ${FORGET_MAX}) - 1)) end
redis.call('PEXPIRE', KEYS[1], keep_ms)
redis.call('PEXPIRE', KEYS[2], keep_ms)
return 1`,
)

/** KEYS: claims. ARGV from 2: the key, leaseMs. */
const CLAIM = script(
  'answer-claim',
  `redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZADD', KEYS[1], 'NX', now + tonumber(ARGV[3]), ARGV[2]) == 0 then return 0 end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1`,
)

/** KEYS: answers, times. ARGV[2]: the principal. */
const FORGET_OF = script(
  'answer-forget-of',
  `local forgotten = 0
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local answer = cjson.decode(all[index + 1])
  if answer.madeFor == ARGV[2] then
    redis.call('HDEL', KEYS[1], all[index])
    redis.call('ZREM', KEYS[2], all[index])
    if not answer.madeFrom then forgotten = forgotten + 1 end
  end
end
return forgotten`,
)

export function redisAnswerCache({ redis, clock, limits }: RedisAnswerCacheOptions): AnswerCache {
  const shardCountMax = Math.max(1, Math.floor(limits.countMax / SHARDS))
  return {
    async find(key) {
      const { answers } = keysOf(key)
      const found = await redis.command(answers, 'HGET', answers, key)
      if (typeof found !== 'string') return undefined
      const answer = JSON.parse(found) as CachedAnswer
      return answer.madeAt + limits.keepMs > clock.now() ? answer : undefined
    },
    async keep(key, answer) {
      const json = JSON.stringify(answer)
      if (Buffer.byteLength(json) > limits.answerBytesMax) return
      const { answers, times } = keysOf(key)
      await redis.run(KEEP, [answers, times], [limits.keepMs, shardCountMax, key, answer.madeAt, json])
    },
    async claim(key, leaseMs) {
      return (await redis.run(CLAIM, [keysOf(key).claims], [key, leaseMs])) === 1
    },
    async forgetOf(principalId) {
      const shards = Array.from({ length: SHARDS }, (_, shard) => keysOfShard(shard))
      const counts = await Promise.all(
        shards.map(({ answers, times }) => redis.run(FORGET_OF, [answers, times], [principalId])),
      )
      return counts.reduce<number>((sum, count) => sum + Number(count), 0)
    },
  }
}

function keysOf(key: string): { readonly answers: string; readonly times: string; readonly claims: string } {
  return keysOfShard((createHash('sha1').update(key).digest()[0] ?? 0) % SHARDS)
}

function keysOfShard(shard: number): { readonly answers: string; readonly times: string; readonly claims: string } {
  const answers = `ma:{answers:${shard}}`
  return { answers, times: `${answers}:times`, claims: `${answers}:claims` }
}
