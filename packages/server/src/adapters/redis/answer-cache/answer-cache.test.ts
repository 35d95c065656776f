// Runs the contract of the answer cache on Redis; nodes share the answers, and every key expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerCacheContract } from '#ports/answer-cache/contract.ts'
import { sampleCachedAnswer } from '#fixtures/turns/answers.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisAnswerCache } from './answer-cache.ts'

const open = cleanRedis()
const LIMITS = { keepMs: 10_000, countMax: 1000, answerBytesMax: 10_000 }

answerCacheContract('redis answer cache', async (context, clock, limits) =>
  redisAnswerCache({ redis: await open(context, clock), clock, limits }),
)

test('an answer stored by one node is found by another, and every key expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const [one, other] = [
    redisAnswerCache({ redis, clock, limits: LIMITS }),
    redisAnswerCache({ redis, clock, limits: LIMITS }),
  ]
  await one.keep('key', sampleCachedAnswer())
  assert.deepEqual(await other.find('key'), sampleCachedAnswer())
  assert.deepEqual([await one.claim('key', 500), await other.claim('key', 500)], [true, false])
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.equal(keys.length, 3)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})

test('later writes remove expired answers', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const cache = redisAnswerCache({ redis, clock, limits: LIMITS })
  for (let number = 0; number < 100; number += 1) await cache.keep(`old ${number}`, sampleCachedAnswer())
  await clock.advance(LIMITS.keepMs)
  for (let number = 0; number < 100; number += 1)
    await cache.keep(`new ${number}`, sampleCachedAnswer({ madeAt: clock.now() }))
  const shards = (await redis.command(undefined, 'KEYS', 'ma:{answers:*}')) as readonly string[]
  const sizes = await Promise.all(shards.map((key) => redis.command(key, 'HLEN', key)))
  assert.equal(
    sizes.reduce<number>((sum, size) => sum + Number(size), 0),
    100,
  )
})
