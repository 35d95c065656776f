// The report of models and lanes from their steps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaneChange } from './lane-change.ts'
import { HISTORY_STEP_MS } from './model-meter.ts'
import type { HistoryStep } from './model-meter.ts'
import { modelsReport } from './model-report.ts'

const FROM = 1000 * HISTORY_STEP_MS
const HOUR_MS = 3_600_000
const TO = FROM + HOUR_MS
const price = { inputMicroUsdPerMillion: 1, outputMicroUsdPerMillion: 2 }
const models = [{ name: 'primary', id: 'vendor/one', lane: 'main', price }]
const lanes = [{ lane: 'main', models: ['primary'], phase: 'closed' as const, rejected: [] }]
const step = (at: number, over: Partial<HistoryStep> = {}): HistoryStep => ({
  at,
  counts: [],
  faults: [],
  changes: [],
  ...over,
})
const change = (at: number, over: Partial<LaneChange> = {}): LaneChange => ({
  id: String(at),
  lane: 'main',
  at,
  from: 'closed',
  to: 'open',
  why: 'failures',
  calls: 3,
  failures: 3,
  ...over,
})
const report = (steps: readonly HistoryStep[], over: object = {}) =>
  modelsReport({ from: FROM, to: TO, steps, models, lanes, estimatorOf: () => undefined, ...over })

test('steps are added, percentiles are of all of them, and the history has every step', () => {
  const counts = (first: string) => [
    { of: '', counts: { turns: 2, 'tier:primary': 2 } },
    {
      of: 'primary',
      counts: { calls: 10, failures: 1, answers: 2, 'outcome:end': 9, 'outcome:timeout': 1, [first]: 10 },
    },
    { of: 'gone', counts: { calls: 1 } },
  ]
  const made = report([
    step(FROM, { counts: counts('first:3') }),
    step(FROM + HISTORY_STEP_MS, { counts: counts('first:9') }),
  ])
  const [primary, gone] = made.models
  assert.deepEqual([made.turns, made.tiers], [4, { primary: 4 }])
  assert.deepEqual([primary?.calls, primary?.failures, primary?.answers, primary?.price], [20, 2, 4, price])
  assert.deepEqual([primary?.firstWordsP50Ms, primary?.firstWordsP95Ms], [300, 1950])
  assert.deepEqual(primary?.outcomes, { end: 18, timeout: 2 })
  assert.deepEqual(
    primary?.history.map(({ calls }) => calls),
    [10, 10, 0, 0],
  )
  assert.deepEqual([gone?.name, gone?.id, gone?.lane, gone?.price], ['gone', null, null, null])
})

test('a long stretch has steps of an hour', () => {
  const made = report([step(TO, { counts: [{ of: 'primary', counts: { calls: 3 } }] })], { to: FROM + 48 * HOUR_MS })
  assert.equal(made.stepMs, HOUR_MS)
  assert.deepEqual([made.models[0]?.history.length, made.models[0]?.history[1]?.calls], [48, 3])
})

test('equal faults of all steps are one, with the last words', () => {
  const fault = { model: 'primary', outcome: 'throttled', message: 'wait 3 s', count: 2, lastAt: 5, turnId: 'a' }
  const made = report([
    step(FROM, { faults: [fault, { ...fault, outcome: 'timeout', count: 9 }] }),
    step(FROM + HISTORY_STEP_MS, { faults: [{ ...fault, message: 'wait 7 s', lastAt: 8, turnId: 'b' }] }),
  ])
  assert.deepEqual(
    made.models[0]?.faults.map(({ count, message, turnId }) => [count, message, turnId]),
    [
      [9, 'wait 3 s', 'a'],
      [4, 'wait 7 s', 'b'],
    ],
  )
})

test('the phases of a lane have no gap, and the time open and the openings are counted, without failed probes', () => {
  const minute = 60_000
  const changes = [
    change(FROM + 10 * minute),
    change(FROM + 11 * minute, { from: 'open', to: 'half-open', why: 'probing' }),
    change(FROM + 12 * minute, { from: 'half-open', to: 'open', why: 'probe-failed' }),
    change(FROM + 14 * minute, { from: 'open', to: 'closed', why: 'reset', by: 'aki' }),
  ]
  const [lane] = report([step(FROM, { changes })]).lanes
  assert.deepEqual(
    lane?.spans.map(({ from, phase, to }) => [phase, (from - FROM) / minute, (to - FROM) / minute]),
    [
      ['closed', 0, 10],
      ['open', 10, 11],
      ['half-open', 11, 12],
      ['open', 12, 14],
      ['closed', 14, 60],
    ],
  )
  assert.deepEqual([lane?.openMs, lane?.openings, lane?.changes[0]?.by], [3 * minute, 1, 'aki'])
})

test('without a change a lane was as it is; a start says how it was found, and nothing of the time before', () => {
  const spansOf = (changes: readonly LaneChange[], from = FROM) =>
    report([step(FROM, { changes })], { from }).lanes[0]?.spans.map((span) => [span.phase, span.from, span.to])
  assert.deepEqual(spansOf([]), [['closed', FROM, TO]])
  const started = change(FROM + 5, { from: null, to: 'closed', why: 'started' })
  assert.deepEqual(spansOf([started]), [['closed', FROM + 5, TO]])
  // The process ended while the circuit was open: the next one found it closed.
  assert.deepEqual(spansOf([change(FROM + 1), started]), [
    ['closed', FROM, FROM + 1],
    ['open', FROM + 1, FROM + 5],
    ['closed', FROM + 5, TO],
  ])
  // An earlier change in the same step says how it began.
  assert.deepEqual(spansOf([change(FROM + 1)], FROM + 10), [['open', FROM + 10, TO]])
})

test('a lane of single nodes has an entry for each of them', () => {
  const own = [{ lane: 'search', models: [], phase: 'closed' as const, rejected: [] }]
  const changes = ['a', 'b'].map((node) => change(FROM + 1, { lane: 'search', node }))
  const made = report([step(FROM, { changes })], { lanes: own })
  assert.deepEqual(
    made.lanes.map(({ node, openings }) => [node, openings]),
    [
      ['a', 1],
      ['b', 1],
    ],
  )
})

test('an outage of many probes still shows how it began', () => {
  const probes = Array.from({ length: 300 }, (_, n) =>
    n % 2 === 0
      ? change(FROM + 2000 + n, { from: 'open', to: 'half-open', why: 'probing' })
      : change(FROM + 2000 + n, { from: 'half-open', to: 'open', why: 'probe-failed' }),
  )
  const [lane] = report([step(FROM, { changes: [change(FROM + 1000), ...probes] })]).lanes
  assert.equal(lane?.changes.length, 200)
  assert.deepEqual([lane?.changes[0]?.why, lane?.changes.at(-1)?.why], ['probe-failed', 'failures'])
})
