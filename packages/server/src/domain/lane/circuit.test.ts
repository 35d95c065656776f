// Opening and recovery of a circuit: growing and jittered open times, probes in stages, and no state in which it gets stuck.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LEASE_MS, testLane } from '#fixtures/lanes/lanes.ts'
import { opened } from './circuit.ts'
import { laneDefaults } from './settings.ts'
import { startState } from './state.ts'

/** Advances to the second tick from which probes pass. */
const untilProbing = ({ view, now, advance }: ReturnType<typeof testLane>) =>
  advance(Math.ceil(((view().opensAt ?? now()) - now()) / 500) * 500 + 500)

/** Sends a number of probes that all pass. */
function pass(lane: ReturnType<typeof testLane>, count: number) {
  const permits = Array.from({ length: count }, () => lane.take())
  for (const answer of permits) if (answer.kind === 'permit') lane.lane.report(answer.id, 'success', lane.now())
  lane.advance(500)
  return permits.filter(({ kind }) => kind === 'permit').length
}

test('the circuit opens for about two seconds, then twice as long each time, up to its bound', () => {
  const lane = testLane()
  lane.trip()
  const openedFor: number[] = []
  for (let time = 0; time < 5; time += 1) {
    openedFor.push((lane.view().opensAt ?? 0) - lane.now())
    untilProbing(lane)
    lane.call('fault')
    lane.advance(500)
  }
  assert.deepEqual(openedFor, [2000, 4000, 5600, 5600, 5600])
})

test('the circuit of a busy lane opens for the short time each time: a probe is one call of many, and people wait', () => {
  let state = startState('adaptive', 0)
  const { busyInFlight } = laneDefaults.open
  state = { ...state, phase: { ...state.phase, goodInFlight: busyInFlight } }
  for (let repeat = 0; repeat < 4; repeat += 1) {
    state = opened(state, laneDefaults.open, { now: 1000, float: 0.5 })
    assert.deepEqual([state.phase.kind, state.phase.openedMs], ['open', laneDefaults.open.firstMs])
  }
})

test('jitter varies every open time by ± a quarter, below the bound, so that nodes do not probe in step', () => {
  const time = laneDefaults.open
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(6), (float, repeats) => {
      let state = startState('adaptive', 0)
      for (let repeat = 0; repeat <= repeats; repeat += 1) state = opened(state, time, { now: 1000, float })
      assert.ok(state.phase.kind === 'open')
      const openMs = state.phase.until - 1000
      const aimMs = Math.min(2000 * 2 ** repeats, time.maxMs / 1.25)
      assert.ok(openMs >= aimMs * 0.75 - 1 && openMs <= aimMs * 1.25 + 1 && openMs <= time.maxMs)
    }),
  )
})

test('after a long healthy time it opens for the short time again', () => {
  const lane = testLane()
  lane.trip()
  untilProbing(lane)
  for (const stage of [1, 3, 10]) pass(lane, stage)
  lane.calls(10, 20_000, () => 'success')
  lane.trip()
  assert.equal((lane.view().opensAt ?? 0) - lane.now(), 2000)
})

test('it recovers by stages of one, three and ten probes, and takes no more', () => {
  const lane = testLane()
  lane.trip()
  untilProbing(lane)
  assert.deepEqual([pass(lane, 5), pass(lane, 5), pass(lane, 15)], [1, 3, 10])
  assert.equal(lane.view().phase, 'recovering')
})

test('one failed probe opens it again', () => {
  for (const passed of [[], [1], [1, 3]]) {
    const lane = testLane()
    lane.trip()
    untilProbing(lane)
    for (const stage of passed) pass(lane, stage)
    lane.call('overload')
    lane.advance(500)
    assert.equal(lane.view().phase, 'open')
  }
})

test('a probe whose owner died does not block the circuit: its lease expires and another probe passes', () => {
  const lane = testLane()
  lane.trip()
  untilProbing(lane)
  assert.equal(lane.take().kind, 'permit')
  lane.advance(LEASE_MS - 1000)
  assert.equal(lane.call('success'), 'probing')
  lane.advance(1500)
  assert.equal(lane.call('success'), 'success')
  lane.advance(500)
  assert.deepEqual([lane.view().phase, lane.view().probes?.stage], ['half-open', 1])
})

test('a probe’s lease is as long as its call may be silent, so that a slow lane does not stay half-open', () => {
  const lane = testLane()
  lane.trip()
  untilProbing(lane)
  lane.lane.take({ id: 'slow', ask: { kind: 'first' }, leaseMs: 20_000 }, lane.now())
  lane.advance(15_000)
  lane.lane.served('slow', { now: lane.now(), leaseMs: 20_000 })
  lane.advance(500)
  assert.equal(lane.view().probes?.stage, 1)
})

test('the late result of a probe with an expired lease neither closes nor opens the circuit', () => {
  const lane = testLane()
  lane.trip()
  untilProbing(lane)
  const dead = lane.take()
  assert.ok(dead.kind === 'permit')
  lane.advance(LEASE_MS + 500)
  const before = lane.view()
  lane.lane.report(dead.id, 'fault', lane.now())
  lane.advance(500)
  assert.deepEqual([lane.view().phase, lane.view().epoch], [before.phase, before.epoch])
})

test('results of calls from before the opening do not count afterwards', () => {
  const lane = testLane()
  const slow = Array.from({ length: 30 }, () => lane.take())
  lane.trip()
  untilProbing(lane)
  for (const stage of [1, 3, 10]) pass(lane, stage)
  for (const answer of slow) if (answer.kind === 'permit') lane.lane.report(answer.id, 'overload', lane.now())
  lane.advance(500)
  assert.notEqual(lane.view().phase, 'open')
})

test('a half-open circuit without traffic waits, and the next request is its probe', () => {
  const lane = testLane()
  lane.trip()
  lane.advance(3_600_000)
  assert.deepEqual([lane.view().phase, lane.view().level, lane.call('success')], ['half-open', 'recovery', 'success'])
})

test('without ticks the first probe still passes when the open time is over', () => {
  const { lane, trip, now, view } = testLane()
  trip()
  const at = (view().opensAt ?? 0) + 1
  assert.ok(at > now())
  assert.equal(lane.take({ id: 'probe', ask: { kind: 'first' }, leaseMs: 1000 }, at).kind, 'permit')
})
