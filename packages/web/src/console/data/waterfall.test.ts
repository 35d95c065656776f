// Where the bars of a turn's waterfall are.
import assert from 'node:assert/strict'
import test from 'node:test'
import { waterfallOf } from './waterfall.ts'

const call = { model: 'm', tier: 'primary', inputTokens: 0, outputTokens: 0, costMicroUsd: 0 } as const

test('stages follow each other, delivery runs beside invocation, calls have their own times', () => {
  const { bars, fromMs, toMs } = waterfallOf({
    totalMs: 900,
    firstWordMs: 300,
    queueMs: 20,
    stages: { admissionMs: 5, contextMs: 40, routingMs: 10, invocationMs: 700, deliveryMs: 720, settlementMs: 6 },
    calls: [
      { ...call, attempt: 1, name: 'primary', outcome: 'throttled', startMs: 70, tookMs: 100 },
      { ...call, attempt: 2, name: 'economy', outcome: 'end', startMs: 180, tookMs: 500 },
    ],
  })
  assert.deepEqual(
    bars.map(({ kind, name, startMs, tookMs }) => [name, kind, startMs, tookMs]),
    [
      ['admission', 'stage', -5, 5],
      ['context', 'stage', 0, 40],
      ['routing', 'stage', 40, 10],
      ['queue', 'queue', 50, 20],
      ['invocation', 'stage', 50, 700],
      ['delivery', 'stage', 50, 720],
      ['settlement', 'stage', 770, 6],
      ['#1 primary · throttled', 'failed-call', 70, 100],
      ['#2 economy · end', 'call', 180, 500],
    ],
  )
  assert.deepEqual([fromMs, toMs], [-5, 900])
})

test('invocation ends with its last call', () => {
  const calls = [{ ...call, attempt: 1, outcome: 'end', startMs: 200, tookMs: 700 }]
  const { bars } = waterfallOf({
    totalMs: 950,
    firstWordMs: 300,
    stages: { contextMs: 50, invocationMs: 800, settlementMs: 5 },
    calls,
  })
  const [, invocation, settlement] = bars
  assert.deepEqual([invocation?.startMs, settlement?.startMs], [100, 900])
})

test('an old record has no bars, and a scale that is not empty', () => {
  assert.deepEqual(waterfallOf({ totalMs: 0, firstWordMs: null }), { bars: [], fromMs: 0, toMs: 1 })
})
