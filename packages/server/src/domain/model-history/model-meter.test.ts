// What a node counts of its models.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import type { TurnCall } from '../turn-records/turn-record.ts'
import { ALL_TURNS, HISTORY_STEP_MS, CALL_MS, durationCounts, ModelMeter } from './model-meter.ts'

const AT = 1000 * HISTORY_STEP_MS
const call = (over: Partial<TurnCall> = {}): TurnCall => ({
  attempt: 1,
  model: 'vendor/one',
  name: 'primary',
  tier: 'primary',
  outcome: 'end',
  firstTokenMs: 250,
  tookMs: 900,
  inputTokens: 10,
  outputTokens: 20,
  costMicroUsd: 30,
  ...over,
})
const failed = (message: string, over: Partial<TurnCall> = {}) => {
  const { firstTokenMs: _, ...without } = call({ outcome: 'throttled', fault: { status: 429, message }, ...over })
  return without
}
const ended = (calls: readonly TurnCall[], over: object = {}) =>
  sampleTurnRecord({
    at: AT + 1,
    turnId: 'turn_1',
    model: 'vendor/two',
    tier: 'economy',
    isCached: false,
    calls,
    ...over,
  })
const countsOf = (meter: ModelMeter) => {
  const [step] = meter.take()
  return new Map(step?.counts.map(({ counts, of }) => [of, counts]))
}

test('calls are counted by model, and the answer for the model that gave it', () => {
  const meter = new ModelMeter()
  meter.turnEnded(ended([failed('too many'), call({ attempt: 2, model: 'vendor/two', name: 'economy' })]))
  const counts = countsOf(meter)
  assert.deepEqual(counts.get(ALL_TURNS), { turns: 1, 'tier:economy': 1 })
  const spent = { cost: 30, input: 10, output: 20 }
  assert.deepEqual(counts.get('primary'), { calls: 1, failures: 1, 'outcome:throttled': 1, ...spent })
  assert.deepEqual(counts.get('economy'), {
    calls: 1,
    answers: 1,
    'outcome:end': 1,
    'first:300': 1,
    'total:1000': 1,
    ...spent,
  })
  assert.deepEqual(meter.take(), [], 'what was taken is counted no more')
})

test('a call that the deadline of its turn cut short is no failure, and its time counts; one without a word failed', () => {
  const meter = new ModelMeter()
  const slow = call({ outcome: 'deadline', tookMs: 23_900 })
  const { firstTokenMs: _, ...silent } = call({ attempt: 2, name: 'economy', outcome: 'deadline', tookMs: 130_000 })
  meter.turnEnded(ended([slow, silent]))
  const counts = countsOf(meter)
  const { failures, 'outcome:deadline': cut, 'total:24000': took } = counts.get('primary') ?? {}
  assert.deepEqual([failures, cut, took], [undefined, 1, 1])
  const without = counts.get('economy') ?? {}
  assert.deepEqual([without['failures'], Object.keys(without).some((name) => name.startsWith('total:'))], [1, false])
})

test('durations that earlier versions named by index are counted with those named by their limit', () => {
  const counts = durationCounts(
    { 'total:3': 1, 'total:300': 2, 'total:17': 4, 'total:longer': 8, 'first:3': 9 },
    'total:',
  )
  assert.deepEqual([counts[CALL_MS.indexOf(300)], counts.at(-1), counts.reduce((sum, one) => sum + one)], [3, 12, 15])
})

test('a cached answer is no answer of a model, and what the shopper stopped is no failure', () => {
  const meter = new ModelMeter()
  meter.turnEnded(ended([], { isCached: true, tier: 'cached' }))
  meter.turnEnded(ended([call({ outcome: 'stopped', model: 'vendor/two', name: 'economy' })]))
  const counts = countsOf(meter)
  assert.deepEqual([counts.get('economy')?.['failures'], counts.get('economy')?.['answers']], [undefined, 1])
  assert.equal(counts.get(ALL_TURNS)?.['turns'], 2)
})

test('faults with the same words are one, whatever the figures in them, and their number is bounded', () => {
  const meter = new ModelMeter()
  meter.turnEnded(ended([failed('12 of 10 tokens')]))
  meter.turnEnded(ended([failed('99 of 10 tokens')], { turnId: 'turn_2' }))
  const letters = (index: number) => String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))
  for (let index = 0; index < 200; index += 1) meter.turnEnded(ended([failed(letters(index))]))
  const [step] = meter.take()
  const [first] = step?.faults ?? []
  assert.deepEqual([first?.message, first?.count, first?.turnId, first?.status], ['99 of 10 tokens', 2, 'turn_2', 429])
  assert.ok((step?.faults.length ?? 0) <= 51)
  assert.equal(
    step?.faults.reduce((sum, { count }) => sum + count, 0),
    202,
  )
})

test('a node that cannot store keeps a bounded number of steps, the newest', () => {
  const meter = new ModelMeter()
  for (let step = 0; step < 30; step += 1) meter.turnEnded(ended([call()], { at: AT + step * HISTORY_STEP_MS }))
  const steps = meter.take()
  assert.ok(steps.length < 10)
  assert.equal(steps.at(-1)?.at, AT + 29 * HISTORY_STEP_MS)
})
