// Runs the contract of the requests for a person on Redis.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handoverRequestsContract, sampleHandover } from '#ports/handover-requests/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisHandoverRequests } from './handover-requests.ts'

const KEEP_MS = 90 * 86_400_000
const open = cleanRedis()

handoverRequestsContract('redis handover requests', async (context) => {
  const redis = await open(context, manualClock())
  const reopen = async () => redisHandoverRequests({ redis, keepMs: KEEP_MS })
  return { store: await reopen(), reopen }
})

test('every key expires', async (context) => {
  const redis = await open(context, manualClock())
  const store = redisHandoverRequests({ redis, keepMs: KEEP_MS })
  await store.add(sampleHandover())
  await store.move('hand_1', { from: ['open'], to: 'taken', changed: { at: 1, by: 'Aiko', reason: 'a test' } })
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.ok(keys.length >= 4)
  for (const name of keys) assert.ok(Number(await redis.command(name, 'PTTL', name)) > 0, name)
})
