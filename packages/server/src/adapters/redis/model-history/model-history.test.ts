// Runs the contract of the model history on a real Redis; every key expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { modelHistoryContract } from '#ports/model-history/contract.ts'
import { redisModelHistory } from './model-history.ts'

const open = cleanRedis()

modelHistoryContract('redis model history', async (context, clock) => {
  const redis = await open(context, clock)
  const history = redisModelHistory({ redis, clock })
  return { history, reopen: async () => redisModelHistory({ redis, clock }) }
})

test('every key of the model history expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const counts = [{ of: 'primary', counts: { calls: 1 } }]
  await redisModelHistory({ redis, clock }).add({ id: 'a-1', at: 0, counts, faults: [], changes: [] })
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.equal(keys.length, 2)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
