// Runs the contract of the rate chunks on a real Redis, and checks expiry and slots of the keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateChunksContract } from '#ports/rate-chunks/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisRateChunks } from './rate-chunks.ts'

const redisFor = cleanRedis()

rateChunksContract('redis rate chunks', async (context) => {
  const clock = manualClock()
  return { chunks: redisRateChunks({ redis: await redisFor(context, clock) }), clock }
})

test('redis rate chunks: every key expires, and a refusal writes nothing', async (context) => {
  const redis = await redisFor(context, manualClock())
  const chunks = redisRateChunks({ redis })
  const bucket = { name: 'global', perSecond: 1, burst: 2 }
  assert.equal((await chunks.lease(bucket, 5, 'op_1')).granted, 2)
  const keys = async () => ((await redis.command(undefined, 'KEYS', '*')) as string[]).toSorted()
  const before = await keys()
  assert.deepEqual(before, ['{rate:global}:bucket', '{rate:global}:op:op_1'])
  for (const key of before) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, `${key} expires`)
  assert.equal((await chunks.lease(bucket, 1, 'op_2')).granted, 0)
  assert.deepEqual(await keys(), before)
})
