// The reference policy: levels, circuits by dependency, long openings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLane } from '#fixtures/lanes/lanes.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { referencePolicy } from './reference-policy.ts'
import { CIRCUITS, laneDefaults } from './settings.ts'
import { startState } from './state.ts'

/** Without the circuit, to test the levels alone. */
const byLevels = () =>
  testLane({
    policy: referencePolicy({ ...laneDefaults, circuit: { ...CIRCUITS.primary, failures: Infinity, rate: 2 } }),
  })

test('the first throttle raises the level to slight, and three consecutive successes return it to normal', () => {
  const { call, advance, view } = byLevels()
  call('overload')
  advance(500)
  assert.equal(view().level, 'slight')
  for (let success = 0; success < 2; success += 1) call('success')
  advance(500)
  assert.equal(view().level, 'slight')
  call('success')
  advance(500)
  assert.equal(view().level, 'normal')
})

test('more than a fifth of failures raises the level to slight, then high; fewer return it to slight', () => {
  const { calls, view } = byLevels()
  calls(40, 2000, (index) => (index % 3 === 0 ? 'fault' : 'success'))
  assert.equal(view().level, 'high')
  calls(200, 10_000, (index) => (index % 10 === 0 ? 'fault' : 'success'))
  assert.notEqual(view().level, 'high')
})

test('more than half of failures for a minute opens the circuit for half a minute; a shorter time does not', () => {
  const { calls, view, advance, now } = byLevels()
  const failing = (index: number) => (index % 4 === 0 ? 'success' : 'fault')
  calls(500, 55_000, failing)
  assert.equal(view().phase, 'closed')
  calls(100, 11_000, failing)
  assert.deepEqual([view().phase, view().level], ['open', 'open'])
  const opensInMs = (view().opensAt ?? 0) - now()
  assert.ok(opensInMs > 20_000 && opensInMs <= 30_000)
  advance(30_500)
  assert.deepEqual([view().phase, view().level], ['half-open', 'recovery'])
})

test('each dependency’s circuit opens at its own count, for its own time', () => {
  for (const dependency of ['primary', 'economy', 'search', 'sessions', 'redis'] as const) {
    const { failures, openMs } = CIRCUITS[dependency]
    const lane = testLane({ policy: referencePolicy({ ...laneDefaults, circuit: CIRCUITS[dependency] }) })
    for (let failure = 1; failure < failures; failure += 1)
      lane.calls(3, 600, (index) => (index === 0 ? 'fault' : 'success'))
    lane.advance(500)
    if (dependency === 'primary' || dependency === 'economy') assert.equal(lane.view().phase, 'closed', dependency)
    lane.call('fault')
    lane.advance(500)
    assert.equal(lane.view().phase, 'open', dependency)
    lane.advance(openMs)
    assert.equal(lane.view().phase, 'half-open', dependency)
  }
})

test('a share of failures opens the circuit only when there are enough calls', () => {
  const settings = { ...laneDefaults, circuit: { ...CIRCUITS.primary, failures: 100 } }
  const { call, calls, advance, view } = testLane({ policy: referencePolicy(settings) })
  for (let failure = 0; failure < 4; failure += 1) call('fault')
  advance(500)
  assert.equal(view().phase, 'closed')
  calls(8, 400, (index) => (index % 2 === 0 ? 'fault' : 'success'))
  advance(500)
  assert.equal(view().phase, 'open')
})

test('the circuit recovers by stages, and a failed probe opens it for the whole time again', () => {
  const { call, trip, advance, view } = testLane({ policy: referencePolicy(laneDefaults) })
  trip()
  for (let failure = 0; failure < 2; failure += 1) call('fault')
  advance(61_000)
  for (const stage of [1, 3]) {
    for (let probe = 0; probe < stage; probe += 1) assert.equal(call('success'), 'success')
    advance(500)
  }
  call('fault')
  advance(500)
  assert.equal(view().phase, 'open')
  advance(61_000)
  for (const stage of [1, 3, 10]) {
    for (let probe = 0; probe < stage; probe += 1) assert.equal(call('success'), 'success')
    advance(500)
  }
  assert.equal(view().phase, 'closed')
})

test('there is no limit and no bucket, only the maximum of a hundred retries in ten seconds', () => {
  const { call, view } = testLane({ policy: referencePolicy(laneDefaults) })
  const retries = Array.from({ length: 110 }, () => call('success', { kind: 'retry', cost: 0 }))
  assert.equal(retries.filter((outcome) => outcome === 'success').length, 100)
  assert.deepEqual([retries.at(-1), view().limit], ['retry-cap', null])
})

test('an operator’s action overrides the policy', () => {
  const { lane, now, call, advance, view } = testLane({ policy: referencePolicy(laneDefaults) })
  lane.operate({ action: 'force-open', by: 'aya', at: now() })
  advance(500)
  assert.deepEqual([call('success'), view().level], ['open', 'open'])
})

test('the state of another policy is replaced by a new one', () => {
  const policy = referencePolicy(laneDefaults)
  const probes = { epoch: 1, taken: 0, passed: 0, failed: 0, lost: 0 }
  const counts = { cells: [], inFlight: 0, bucket: 0, failuresRunning: 0, successesRunning: 0, probes }
  const next = policy.tick(startState('adaptive', NOON), counts, { now: NOON, float: 0 })
  assert.deepEqual([next.policy, next.epoch], ['reference', 2])
})
