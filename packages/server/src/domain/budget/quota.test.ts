// The rules of a budget: a grant never exceeds the rest, and a useless rest is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleLimits } from '#fixtures/turns/samples.ts'
import { sampleQuota } from '#fixtures/turns/turns.ts'
import { grant, NOTHING, quotaWarnings } from './quota.ts'
import type { Amounts, BudgetUsage } from './quota.ts'

const limits = sampleLimits()
const UNUSED: BudgetUsage = { used: NOTHING, reserved: NOTHING }
const ASK = { inputTokens: 1000, outputTokens: 500, costMicroUsd: 10_000 }
const used = (part: Partial<Amounts>): BudgetUsage => ({ used: { ...NOTHING, ...part }, reserved: NOTHING })
const reserved = (part: Partial<Amounts>): BudgetUsage => ({ used: NOTHING, reserved: { ...NOTHING, ...part } })

const anyAmounts: fc.Arbitrary<Amounts> = fc.record({
  inputTokens: fc.integer({ min: 0, max: 12_000 }),
  outputTokens: fc.integer({ min: 0, max: 6000 }),
  costMicroUsd: fc.integer({ min: 0, max: 1_200_000 }),
})
const anyUsage: fc.Arbitrary<BudgetUsage> = fc.record({ used: anyAmounts, reserved: anyAmounts })

test('no grant exceeds the ask, the rest of the day or the rest of the session', () => {
  fc.assert(
    fc.property(anyAmounts, anyUsage, anyUsage, (ask, day, session) => {
      const answer = grant(ask, limits, { day, session })
      if (answer.kind === 'exceeded') return
      for (const part of ['inputTokens', 'outputTokens', 'costMicroUsd'] as const) {
        assert.ok(answer.amounts[part] >= 0 && answer.amounts[part] <= ask[part])
        assert.ok(answer.amounts[part] <= Math.max(0, limits.day[part] - day.used[part] - day.reserved[part]))
      }
      assert.ok(
        answer.amounts.inputTokens <=
          limits.session.inputTokens - session.used.inputTokens - session.reserved.inputTokens,
      )
      assert.ok(
        answer.amounts.outputTokens <=
          limits.session.outputTokens - session.used.outputTokens - session.reserved.outputTokens,
      )
    }),
  )
})

test('an unused budget grants the whole ask', () => {
  assert.deepEqual(grant(ASK, limits, { day: UNUSED, session: UNUSED }), { kind: 'granted', amounts: ASK })
})

test('amounts that other turns have reserved are not granted', () => {
  const answer = grant(ASK, limits, { day: reserved({ outputTokens: 4800 }), session: UNUSED })
  assert.deepEqual(answer, { kind: 'granted', amounts: { ...ASK, outputTokens: 200 } })
})

test('a rest below the useful minimum of output is refused', () => {
  assert.equal(grant(ASK, limits, { day: used({ outputTokens: 5000 - 64 }), session: UNUSED }).kind, 'granted')
  assert.deepEqual(grant(ASK, limits, { day: used({ outputTokens: 5000 - 63 }), session: UNUSED }), {
    kind: 'exceeded',
    scope: 'day-output',
  })
  assert.deepEqual(grant(ASK, limits, { day: used({ outputTokens: 5000 }), session: UNUSED }), {
    kind: 'exceeded',
    scope: 'day-output',
  })
  assert.deepEqual(grant(ASK, limits, { day: UNUSED, session: used({ outputTokens: 3990 }) }), {
    kind: 'exceeded',
    scope: 'session-output',
  })
})

test('a rest below the minimum of input is refused', () => {
  const asked = { ...limits, inputTokensMin: 320 }
  assert.equal(grant(ASK, asked, { day: used({ inputTokens: 10_000 - 320 }), session: UNUSED }).kind, 'granted')
  const short = grant(ASK, asked, { day: used({ inputTokens: 10_000 - 319 }), session: UNUSED })
  assert.deepEqual(short, { kind: 'exceeded', scope: 'day-input' })
})

test('an ask below the useful minimum is granted', () => {
  const small = { ...ASK, outputTokens: 10 }
  assert.deepEqual(grant(small, limits, { day: used({ outputTokens: 4990 }), session: UNUSED }), {
    kind: 'granted',
    amounts: small,
  })
})

test('each line of the budget refuses with its own scope', () => {
  assert.deepEqual(grant(ASK, limits, { day: used({ inputTokens: 10_000 }), session: UNUSED }), {
    kind: 'exceeded',
    scope: 'day-input',
  })
  assert.deepEqual(grant(ASK, limits, { day: used({ costMicroUsd: 1_000_000 }), session: UNUSED }), {
    kind: 'exceeded',
    scope: 'day-cost',
  })
  assert.deepEqual(grant(ASK, limits, { day: UNUSED, session: used({ inputTokens: 9000 }) }), {
    kind: 'exceeded',
    scope: 'session-input',
  })
})

test('a spent money budget does not refuse a free call', () => {
  const free = { ...ASK, costMicroUsd: 0 }
  assert.deepEqual(grant(free, limits, { day: used({ costMicroUsd: 2_000_000 }), session: UNUSED }), {
    kind: 'granted',
    amounts: free,
  })
})

test('the warning names the line with the largest used share and the highest step it has reached', () => {
  const warnedOf = (over: Parameters<typeof sampleQuota>[0]) =>
    quotaWarnings(sampleQuota(over)).map(({ budget, part, step }) => [budget, part, step])
  assert.deepEqual(warnedOf({}), [])
  assert.deepEqual(warnedOf({ used: { ...NOTHING, inputTokens: 79_999 } }), [])
  assert.deepEqual(warnedOf({ used: { ...NOTHING, inputTokens: 80_000 } }), [['day', 'inputTokens', 0.8]])
  const both = { ...NOTHING, inputTokens: 80_000, costMicroUsd: 900_000 }
  assert.deepEqual(warnedOf({ used: both }), [['day', 'costMicroUsd', 0.9]])
  const conversation = { used: { inputTokens: 0, outputTokens: 90 }, limit: { inputTokens: 100, outputTokens: 100 } }
  assert.deepEqual(warnedOf({ conversation }), [['conversation', 'outputTokens', 0.9]])
  assert.equal(warnedOf({ used: both, conversation }).length, 2)
})
