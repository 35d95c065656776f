// The capacity that would have served everybody, from hand-written demands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleHint } from './scale-hint.ts'
import type { ScaleDemand } from './scale-hint.ts'

const CALL = { inputTokens: 900, outputTokens: 100, maxOutputTokens: 100 }
const MODEL = { name: 'primary', callMs: 2000, connectionsMax: 25 }
const steady = (perSecond: number, seconds = 60) => Array.from({ length: seconds }, () => perSecond)
const demand = (over: Partial<ScaleDemand>): ScaleDemand => ({
  arrivals: steady(10),
  call: CALL,
  models: [MODEL],
  runningMax: 4000,
  quotaBurstMs: 0,
  ...over,
})
const only = (over: Partial<ScaleDemand>) => {
  const { models, ...hint } = scaleHint(demand(over))
  const [model] = models
  assert.ok(model)
  return { ...hint, ...model }
}

test('a steady demand needs its calls a second, times their tokens and their length, and a quarter more', () => {
  assert.deepEqual(scaleHint(demand({})), {
    peakPerSecond: 10,
    nodes: 2,
    models: [{ name: 'primary', tokensPerMinute: 10 * 1000 * 60 * 1.25, callsInFlight: 10 * 2 * 1.25 }],
  })
})

test('the burst of a quota covers a short peak, not a long one', () => {
  const surge = (seconds: number) => [...steady(0, 60), ...steady(60, seconds), ...steady(0, 60)]
  const tokens = (seconds: number, quotaBurstMs: number) =>
    only({ arrivals: surge(seconds), quotaBurstMs }).tokensPerMinute / (60 * 1000 * 1.25)
  assert.deepEqual([tokens(1, 0), tokens(1, 5000)], [60, 10])
  assert.ok(Math.abs(tokens(60, 5000) - (60 * 60) / 65) < 0.001)
})

test('what calls in flight set aside and do not use has to fit into the quota too', () => {
  const modest = only({ quotaBurstMs: 5000 })
  const greedy = only({ quotaBurstMs: 5000, call: { ...CALL, maxOutputTokens: 1100 } })
  // Twenty calls in flight, each with a thousand tokens that it does not use.
  assert.ok(greedy.tokensPerMinute > modest.tokensPerMinute)
  assert.equal(greedy.callsInFlight, modest.callsInFlight)
})

test('calls that last longer are more in flight; a part of a second counts as a part', () => {
  const calls = (callMs: number) => only({ models: [{ ...MODEL, callMs }] }).callsInFlight / 1.25
  assert.deepEqual([calls(400), calls(2000), calls(2400)], [4, 20, 24])
})

test('nodes follow from the model with the least room on a node, and one is to spare', () => {
  const arrivals = steady(100)
  const economy = { name: 'economy', callMs: 2000, connectionsMax: 5 }
  assert.equal(scaleHint(demand({ arrivals })).nodes, 10 + 1)
  assert.equal(scaleHint(demand({ arrivals, models: [MODEL, economy] })).nodes, 50 + 1)
  assert.equal(scaleHint(demand({ arrivals, runningMax: 2 })).nodes, 125 + 1)
})

test('without arrivals one node and one to spare are enough', () => {
  for (const arrivals of [[], steady(0)]) {
    const { callsInFlight, nodes, tokensPerMinute } = only({ arrivals })
    assert.deepEqual([callsInFlight, nodes, tokensPerMinute], [0, 2, 0])
  }
})
