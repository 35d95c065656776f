// Shared rates on Redis: each bucket is one key on a slot of its own, and a node asks for a chunk of it a few times a
// second at most. The arithmetic duplicates lib/rates/leaky-bucket.ts; the contract holds the two equal.
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

/** KEYS: bucket, operation. The expiry of the operation's key bounds how long it can be repeated or returned. */
const BUCKET = `
local OPERATION_MS, REST_MS, ROUNDING_MS = 10000, 60000, 0.05
local perSecond, burst, tokens = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local intervalMs = 1000 / perSecond
local row = redis.call('HMGET', KEYS[1], 'at', 'arrival', 'busyFrom')
now = math.max(now, tonumber(row[1]) or 0)
local arrival, busyFrom = tonumber(row[2]), tonumber(row[3])

local function write()
  redis.call('HSET', KEYS[1], 'at', now, 'arrival', arrival, 'busyFrom', busyFrom)
  redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(0, arrival - now)) + REST_MS)
end
`

const LEASE = script(
  'rate-lease',
  `${BUCKET}
local before = redis.call('GET', KEYS[2])
if before then return { (cmsgpack.unpack(before)), 0 } end
local isFull = not arrival or arrival <= now
if isFull then arrival, busyFrom = now, now end
local freeMs = now + intervalMs * burst - arrival
local granted = math.min(tokens, math.floor((freeMs + ROUNDING_MS) / intervalMs))
if granted <= 0 then return { 0, math.max(1, math.ceil(intervalMs - freeMs)) } end
arrival = arrival + granted * intervalMs
write()
redis.call('SET', KEYS[2], cmsgpack.pack(granted, now), 'PX', OPERATION_MS)
return { granted, 0 }`,
)

const GIVE_BACK = script(
  'rate-give-back',
  `${BUCKET}
local packed = redis.call('GETDEL', KEYS[2])
if not packed or not arrival then return 0 end
local granted, takenAt = cmsgpack.unpack(packed)
if takenAt < busyFrom then return 0 end
arrival = arrival - math.min(tokens, granted) * intervalMs
write()
return 1`,
)

export function redisRateChunks({ redis }: { readonly redis: Pick<Redis, 'run'> }): RateChunks {
  const keysOf = ({ name, of }: RateBucket, operation: string) => {
    const slot = of === undefined ? name : `${name}:${encodeURIComponent(of)}`
    return [`{rate:${slot}}:bucket`, `{rate:${slot}}:op:${operation}`]
  }
  const argsOf = ({ perSecond, burst }: RateBucket, tokens: number) => [perSecond, burst, tokens]
  return {
    async lease(bucket, tokens, operation) {
      const reply = await redis.run(LEASE, keysOf(bucket, operation), argsOf(bucket, tokens))
      const [granted, retryAfterMs] = reply as readonly [number, number]
      return { granted, retryAfterMs }
    },
    async giveBack(bucket, tokens, operation) {
      await redis.run(GIVE_BACK, keysOf(bucket, operation), argsOf(bucket, tokens))
    },
  }
}
