// The ledger compared with a provider's figures: small differences agree, zeros and missing days never do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from './reconcile.ts'
import type { DailyUse } from './reconcile.ts'

const use = (over: Partial<DailyUse> = {}): DailyUse => ({
  day: '2026-11-04',
  model: 'claude',
  inputTokens: 1000,
  outputTokens: 100,
  costMicroUsd: 5000,
  ...over,
})
const verdicts = (ledger: readonly DailyUse[], provider: readonly DailyUse[], tolerance = 0.02) =>
  reconcile(ledger, provider, tolerance).map(({ verdict }) => verdict)

test('figures within the tolerance agree, those outside differ, in either direction', () => {
  assert.deepEqual(verdicts([use({ inputTokens: 1020 })], [use()]), ['agrees'])
  assert.deepEqual(verdicts([use({ inputTokens: 1021 })], [use()]), ['differs'])
  assert.deepEqual(verdicts([use({ outputTokens: 97 })], [use()]), ['differs'])
  assert.deepEqual(verdicts([use({ costMicroUsd: 5200 })], [use()]), ['differs'])
  assert.deepEqual(verdicts([use({ costMicroUsd: 5200 })], [use()], 0.05), ['agrees'])
})

test('a cost that the provider does not report is not compared', () => {
  const { costMicroUsd: _, ...reported } = use()
  const [found] = reconcile([use({ costMicroUsd: 9 })], [reported], 0.02)
  assert.equal(found?.verdict, 'agrees')
  assert.deepEqual(
    found?.figures.map(({ figure }) => figure),
    ['inputTokens', 'outputTokens'],
  )
})

test('a zero or a missing day on one side is never a small difference', () => {
  const nothing = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }
  assert.deepEqual(verdicts([use(nothing)], [use()], 10), ['zero-in-ledger'])
  assert.deepEqual(verdicts([], [use()], 10), ['missing-in-ledger'])
  assert.deepEqual(verdicts([use()], [use(nothing)], 10), ['zero-at-provider'])
  assert.deepEqual(verdicts([use()], [], 10), ['missing-at-provider'])
  assert.deepEqual(verdicts([use({ outputTokens: 5 })], [use({ outputTokens: 0 })], 10), ['differs'])
  assert.deepEqual(verdicts([use(nothing)], [use(nothing)]), ['agrees'])
})

test('several lines of a day and model are added up regardless of case, and days are in order', () => {
  const half = { inputTokens: 500, outputTokens: 50, costMicroUsd: 2500 }
  const provider = [use({ ...half, model: 'Claude ' }), use(half), use({ day: '2026-11-03' })]
  assert.deepEqual(
    reconcile([use()], provider, 0).map(({ day, verdict }) => [day, verdict]),
    [
      ['2026-11-03', 'missing-in-ledger'],
      ['2026-11-04', 'agrees'],
    ],
  )
})
