// Runs the contract of the spend chunks on a real Redis, and checks expiry and slots of the keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendChunksContract } from '#ports/spend-chunks/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { createSpending } from '#turn/costs/spending.ts'
import { redisSpendChunks } from './spend-chunks.ts'

const redisFor = cleanRedis()

spendChunksContract('redis spend chunks', async (context) => {
  return redisSpendChunks({ redis: await redisFor(context, manualClock()) })
})

test('redis spend chunks: every key expires, and a refusal writes nothing', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const chunks = redisSpendChunks({ redis })
  const account = { name: 'store', day: { key: 'd', endsAt: clock.now() + 1000 }, limitMicroUsd: 10 } as const
  assert.equal((await chunks.lease(account, { least: 1, most: 10 }, 'a')).grantedMicroUsd, 10)
  const keys = async () => ((await redis.command(undefined, 'KEYS', '*')) as string[]).toSorted()
  const before = await keys()
  assert.deepEqual(before, ['{spend:store:d}:op:a', '{spend:store:d}:taken'])
  for (const key of before) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, `${key} expires`)
  assert.equal((await chunks.lease(account, { least: 1, most: 10 }, 'b')).grantedMicroUsd, 0)
  assert.deepEqual(await keys(), before)
})

test('redis spend chunks: three nodes that spend at once never exceed the ceiling, even when one dies', async (context) => {
  const clock = manualClock()
  const chunks = redisSpendChunks({ redis: await redisFor(context, clock) })
  const day = { key: 'd', endsAt: clock.now() + 1000 }
  const budgets = { storeMicroUsdPerDay: 10_000, guestsMicroUsdPerDay: 4000 }
  const nodes = [1, 2, 3].map((seed) =>
    createSpending({ chunks, clock, random: seededRandom(seed), telemetry: memoryTelemetry(), config: { budgets } }),
  )
  const random = seededRandom('acts')
  let [spent, ofGuests] = [0, 0]
  const acts = Array.from({ length: 300 }, async (_, index) => {
    const spender = random.pick(['guest', 'user', 'shop'] as const)
    const spend = { id: `${index}`, spender, day, microUsd: random.between(1, 400) }
    const node = nodes[index % 3]!
    const used = Math.floor(spend.microUsd * random.float())
    if ((await node.reserve(spend)) !== undefined) return
    node.settle({ ...spend, microUsd: used })
    spent += used
    if (spender === 'guest') ofGuests += used
  })
  await Promise.all(acts)
  assert.ok(spent <= 10_000 && ofGuests <= 4000, `${spent} ${ofGuests}`)
  // The third node dies and does not return its chunk.
  await Promise.all(nodes.slice(0, 2).map((node) => node.close()))
  const taken = await chunks.taken({ name: 'store', day, limitMicroUsd: 10_000 })
  assert.ok(taken >= spent && taken <= 10_000, `${taken} of which ${spent} were spent`)
})
