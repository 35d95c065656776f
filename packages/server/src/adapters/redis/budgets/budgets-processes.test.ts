// Four processes ask for two thousand reservations of one budget at once: exactly the budget is granted.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { add, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import type { ReserveOrder } from '#fixtures/budgets/reserve-many.ts'
import { sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis } from '../client/connection.ts'
import { redisBudgets } from './budgets.ts'

const PROCESSES = 4
const ASKS_EACH = 500
const CHILD = join(import.meta.dirname, '../../../../test/fixtures/budgets/reserve-many.ts')
/** Each request is for 1,000 tokens: three hundred get them, and one gets the rest. */
const BUDGET = 300_400
const LIMITS = sampleLimits({
  day: { inputTokens: BUDGET, outputTokens: 10_000_000, costMicroUsd: 100_000_000 },
  requestsPerMinute: 10_000,
  messagesPerDay: 10_000,
  userRate: { perSecond: 10_000, burst: 10_000 },
})

async function started(order: ReserveOrder): Promise<ChildProcess> {
  const child = fork(CHILD, [JSON.stringify(order)])
  await once(child, 'message')
  return child
}

test('budgets: two thousand concurrent reservations from four processes get exactly the budget', async () => {
  await using server = await startRedis()
  const names = Array.from({ length: PROCESSES }, (_, index) => `process${index}`)
  const orders = names.map((name) => ({ url: server.url, name, count: ASKS_EACH, limits: LIMITS }))
  const children = await Promise.all(orders.map(started))
  const replies = children.map((child) => once(child, 'message') as Promise<[readonly Amounts[]]>)
  for (const child of children) child.send('go')
  const granted = (await Promise.all(replies)).flatMap(([amounts]) => amounts)

  assert.equal(granted.length, Math.ceil(BUDGET / 1000))
  const sum = granted.reduce(add, NOTHING)
  assert.equal(sum.inputTokens, BUDGET)
  const wait = { callMs: 30_000, connectMs: 30_000 }
  await using redis = await openRedis({
    url: server.url,
    random: systemRandom(),
    clock: systemClock(),
    telemetry: memoryTelemetry(),
    ...wait,
  })
  const quota = await redisBudgets({ redis }).quota('guest_1', LIMITS, TODAY)
  assert.deepEqual(quota.reserved, sum)
  assert.equal(quota.requestsPerMinute.used, granted.length)
})
