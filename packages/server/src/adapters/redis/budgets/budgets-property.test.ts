// Runs random histories on the budgets in a real Redis and in memory, which is the oracle; and the same histories over
// several connections at once, where only the sums can be checked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { add, grant, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLimits } from '#fixtures/turns/samples.ts'
import { assertAlike, assertNothingLeaks, Books, histories, perform } from '#fixtures/budgets/budget-histories.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { GRANT } from './lua.ts'
import { SHARED_STATE_SCRIPTS } from './scripts.ts'
import { redisBudgets } from './budgets.ts'

const RUNS = 80
const CONNECTIONS = 3
const redisFor = cleanRedis()

/** Loads the scripts first: an unknown script is sent again with its text, behind calls sent in the meantime. */
async function loadScripts(redis: Redis): Promise<void> {
  for (const { lua } of Object.values(SHARED_STATE_SCRIPTS)) await redis.command(undefined, 'SCRIPT', 'LOAD', lua)
}

test('budgets: Redis and memory give the same answers to any history, and the sums balance', async (context) => {
  let clock = manualClock()
  const redis = await redisFor(context, { ...clock, now: () => clock.now() })
  await loadScripts(redis)
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      clock = manualClock()
      await redis.command(undefined, 'FLUSHALL')
      await assertAlike(redisBudgets({ redis }), clock, steps)
    }),
    { numRuns: RUNS },
  )
})

test('budgets: the sums balance in whatever order calls of several nodes arrive', async (context) => {
  let clock = manualClock()
  const redises = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => redisFor(context, { ...clock, now: () => clock.now() })),
  )
  const states = redises.map((redis) => redisBudgets({ redis }))
  const [first] = states
  if (first === undefined) throw new Error('there is no connection')
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      clock = manualClock()
      await redises[0]?.command(undefined, 'FLUSHALL')
      const books = new Books()
      for (const step of steps) {
        const sent = books.sent(step)
        const answers = await Promise.all(
          sent.map((one, index) => perform(states[index % states.length] ?? first, one)),
        )
        for (const [index, one] of sent.entries()) books.note(one, answers[index])
        await clock.advance(step.thenMs)
        await books.assertBalanced(first)
      }
      await assertNothingLeaks(first, clock)
    }),
    { numRuns: RUNS },
  )
})

const GRANT_TWIN = script(
  'grant-twin',
  `${GRANT}
local function numbers(first, count)
  local list = {}
  for i = 1, count do list[i] = tonumber(ARGV[first + i]) end
  return list
end
local mins = numbers(6, 2)
local limits = { day = numbers(1, 3), session = numbers(4, 2), inputMin = mins[1], outputMin = mins[2] }
local granted, exceeded = grant(numbers(8, 3), limits, numbers(11, 3), numbers(14, 3), numbers(17, 2))
return granted or exceeded`,
)

test('budgets: Redis grants by the same arithmetic as the domain', async (context) => {
  const redis = await redisFor(context, manualClock())
  // Few values, so that the remainder is met exactly, missed by one, or negative.
  const figure = fc.constantFrom(0, 1, 2, 63, 64, 65)
  const amounts: fc.Arbitrary<Amounts> = fc.record({ inputTokens: figure, outputTokens: figure, costMicroUsd: figure })
  const listed = (of: Amounts) => [of.inputTokens, of.outputTokens, of.costMicroUsd]
  const left = fc.oneof(amounts, fc.constant({ inputTokens: -1, outputTokens: -1, costMicroUsd: -1 }))
  const given = fc.record({ ask: amounts, used: amounts, reserved: amounts, ofSession: amounts, min: amounts })
  await fc.assert(
    fc.asyncProperty(given, left, left, async ({ ask, used, reserved, ofSession, min }, ofDayLeft, sessionLeft) => {
      const day = add(add(used, reserved), ofDayLeft)
      const session = add(ofSession, sessionLeft)
      const mins = { inputTokensMin: min.inputTokens, outputTokensMin: min.outputTokens }
      const limits = sampleLimits({ day, session, ...mins })
      const expected = grant(ask, limits, { day: { used, reserved }, session: { used: ofSession, reserved: NOTHING } })
      const args = [...listed(day), session.inputTokens, session.outputTokens, min.inputTokens, min.outputTokens]
      const sums = [...listed(used), ...listed(reserved), ofSession.inputTokens, ofSession.outputTokens]
      const answer = await redis.run(GRANT_TWIN, ['{user:guest_1}'], [...args, ...listed(ask), ...sums])
      assert.deepEqual(answer, expected.kind === 'granted' ? listed(expected.amounts) : expected.scope)
    }),
    { numRuns: 1000 },
  )
})
