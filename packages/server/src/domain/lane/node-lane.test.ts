// The circuit of a dependency on one node: it opens by itself, an operator can override it, and it can be read at any time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeLane } from './node-lane.ts'
import type { Outcome } from './outcome.ts'
import { dependencyPolicy } from './policy-for.ts'
import type { Dependency } from './settings.ts'

function setUp(name: Dependency = 'search') {
  let now = 1_000_000
  const lane = new NodeLane({ name, policy: dependencyPolicy({}, name), now: () => now, float: () => 0.5 })
  const advance = (ms: number) => {
    now += ms
    lane.tick()
  }
  /** Whether the call was made. */
  const call = (outcome: Outcome) => {
    const id = lane.take(1000)
    if (id !== undefined) lane.report(id, outcome)
    lane.tick()
    return id !== undefined
  }
  return { lane, advance, call }
}

test('it opens when calls keep failing, counts the calls it refuses, and closes by stages of probes', () => {
  const { lane, advance, call } = setUp()
  for (let faults = 0; faults < 3; faults += 1) assert.equal(call('fault'), true)
  assert.equal(lane.view().phase, 'open')
  assert.deepEqual([call('success'), call('success'), lane.refusedCalls], [false, false, 2])
  advance(10_000)
  assert.equal(lane.view().phase, 'half-open')
  for (let probes = 0; probes < 14; probes += 1) assert.equal(call('success'), true)
  assert.equal(lane.view().phase, 'recovering')
})

test('paused it refuses every call, and its circuit stays as it was', () => {
  const { lane, call } = setUp('embedder')
  lane.pause(true)
  assert.deepEqual([call('success'), lane.view().phase, lane.view().operator], [false, 'closed', null])
  lane.pause(false)
  assert.equal(call('success'), true)
})

test('forced open lets nothing pass at any time; disabled lets everything pass; reset returns it to the controller', () => {
  const { lane, advance, call } = setUp('sessions')
  lane.operate('force-open', 'aki')
  advance(3_600_000)
  assert.equal(call('success'), false)
  const { level, phase, operator } = lane.view()
  assert.deepEqual([level, phase, operator?.action, operator?.by], ['open', 'open', 'force-open', 'aki'])
  lane.operate('disable', 'aki')
  for (let faults = 0; faults < 50; faults += 1) assert.equal(call('fault'), true)
  lane.operate('reset', 'aki')
  assert.equal(lane.view().phase, 'closed')
  for (let faults = 0; faults < 3; faults += 1) call('fault')
  assert.equal(call('fault'), false)
})

test('an infinite limit is shown as no limit', () => {
  const { lane, advance, call } = setUp('redis')
  for (let lates = 0; lates < 3; lates += 1) call('overload')
  advance(2500)
  for (let probes = 0; probes < 14; probes += 1) call('success')
  advance(20_000)
  assert.deepEqual([lane.view().phase, lane.view().limit], ['closed', null])
})
