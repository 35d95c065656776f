// Histories with resets: Redis answers as memory does, whatever was held, settled, released or expired before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryBudgets } from '../../memory/budgets.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, GENEROUS, quotaOf } from '#fixtures/budgets/budgets.ts'
import { redisBudgets } from './budgets.ts'

const open = cleanRedis()
const RUNS = 60
const ALARM_MICRO_USD = 9000

const turn = fc.nat(7)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('admit' as const), turn }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('settle' as const), turn, cost: fc.nat(12_000) }) },
  fc.record({ type: fc.constant('release' as const), turn }),
  fc.record({ type: fc.constant('reset-day' as const), turn }),
  fc.record({ type: fc.constant('reset-session' as const), turn }),
  fc.record({ type: fc.constant('wait' as const), turn, ms: fc.constantFrom(1, 5000, 10_000) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

function perform(budgets: Budgets, one: Operation): Promise<unknown> {
  const id = `turn_${one.turn}`
  const of = { principalId: 'guest_1', sessionId: `sess_${one.turn % 3}` }
  const hold = { ...of, id, day: TODAY, granted: amounts(1000, 500, 10_000) }
  switch (one.type) {
    case 'admit':
      return budgets.admit(sampleAsk({ ...of, turnId: id, limits: { ...GENEROUS, messagesPerDay: 4 } }))
    case 'settle':
      return budgets.settle(hold, amounts(one.cost, 7, one.cost), { claimMs: 0, alarmMicroUsd: ALARM_MICRO_USD })
    case 'release':
      return budgets.release(hold)
    case 'reset-day':
      return budgets.reset({ principalId: 'guest_1', day: TODAY })
    case 'reset-session':
      return budgets.reset(of)
    case 'wait':
      return Promise.resolve()
  }
}

test('Redis and memory give the same answers to a history with resets', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' }), async (operations) => {
      await redis.command(undefined, 'FLUSHALL')
      const [memory, state] = [memoryBudgets({ clock }), redisBudgets({ redis })]
      for (const one of operations) {
        assert.deepEqual(await perform(state, one), await perform(memory, one))
        if (one.type === 'wait') await clock.advance(one.ms)
        assert.deepEqual(await quotaOf(state), await quotaOf(memory))
      }
    }),
    { numRuns: RUNS },
  )
})
