// Which figures of a provider are booked, and which are replaced by our estimate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { believedTokens, believedUsage, NOTHING_USED } from './believed-usage.ts'

const estimate = { inputTokens: 30, outputTokens: 4 }
const ended = { isStarted: true, failure: undefined, estimate }

test('plausible figures are booked as the provider reports them', () => {
  const reported = { inputTokens: 25, outputTokens: 2 }
  assert.deepEqual(believedUsage({ ...ended, reported }), { ...reported, estimated: false })
})

test('a missing, zero or implausible figure is replaced by the estimate, which is marked', () => {
  for (const tokens of [undefined, 0, -1, Number.NaN, 10_000_001]) {
    const reported = tokens === undefined ? {} : { inputTokens: tokens, outputTokens: tokens }
    assert.deepEqual(believedUsage({ ...ended, reported }), { ...estimate, estimated: true }, String(tokens))
  }
  const half = believedUsage({ ...ended, reported: { inputTokens: 25 } })
  assert.deepEqual(half, { inputTokens: 25, outputTokens: 4, estimated: true })
})

test('zero output is believed of a model that produced none', () => {
  assert.equal(believedTokens(0, 0), 0)
})

test('a call that was refused before it began used nothing; one that timed out may have', () => {
  const before = { isStarted: false, reported: {}, estimate: { inputTokens: 30, outputTokens: 0 } }
  assert.equal(believedUsage({ ...before, failure: 'throttled' }), NOTHING_USED)
  assert.equal(believedUsage({ ...before, failure: 'timeout' }).inputTokens, 30)
  assert.equal(believedUsage({ ...before, isStarted: true, failure: 'internal' }).inputTokens, 30)
})
