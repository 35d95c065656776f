// When a circuit opens, at high and at low traffic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { FIRST, testLane } from '#fixtures/lanes/lanes.ts'

const RETRY = { kind: 'retry', cost: 0 } as const

test('when half of the calls fail the circuit stays closed, so that the other half still succeeds', () => {
  const { calls, view } = testLane()
  calls(200, 10_000, () => 'success')
  const float = seededFloats('half')
  calls(2000, 60_000, () => (float() < 0.5 ? 'fault' : 'success'))
  assert.equal(view().phase, 'closed')
})

test('when half of many calls are silent the circuit stays closed, though a dozen in a row are silent every minute', () => {
  const { calls, view } = testLane()
  calls(200, 10_000, () => 'success')
  const float = seededFloats('silent half')
  const phases = calls(3000, 150_000, () => (float() < 0.5 ? 'silent' : 'success'))
  assert.ok(!phases.includes('open'))
  assert.equal(view().phase, 'closed')
})

test('when nearly all of many calls fail, the circuit opens within five seconds', () => {
  const { calls, view } = testLane()
  calls(200, 10_000, () => 'success')
  calls(120, 6000, () => 'silent')
  assert.equal(view().phase, 'open')
})

test('the few silent calls of a healthy minute do not open a circuit at a short fault', () => {
  const { calls, view } = testLane()
  calls(1200, 60_000, (index) => (index % 20 === 0 ? 'silent' : 'success'))
  calls(80, 4000, () => 'fault')
  assert.equal(view().phase, 'closed')
})

test('failures that come at once open a busy circuit only after ten seconds: another model answers in the meantime', () => {
  for (const quick of ['fault', 'overload'] as const) {
    const { calls, view } = testLane()
    calls(200, 10_000, () => 'success')
    calls(100, 5000, () => quick)
    assert.equal(view().phase, 'closed', quick)
    calls(140, 7000, () => quick)
    assert.notEqual(view().phase, 'closed', quick)
  }
})

test('at one call per second, nine failures of ten open the circuit', () => {
  const { calls, view } = testLane()
  calls(60, 60_000, () => 'success')
  const outcomes = calls(12, 12_000, () => 'fault')
  assert.ok(outcomes.includes('open') || view().phase !== 'closed')
})

test('at low traffic three consecutive failures open the circuit, two do not', () => {
  const { call, advance, view } = testLane()
  for (let failure = 0; failure < 2; failure += 1) call('fault')
  advance(4000)
  assert.equal(view().phase, 'closed')
  call('overload')
  advance(500)
  assert.equal(view().phase, 'open')
})

test('at low traffic refusals for load do not open the circuit of a lane that grants as many calls: they set its pace', () => {
  const { call, advance, view } = testLane()
  for (let granted = 0; granted < 6; granted += 1) {
    call('success')
    advance(800)
  }
  for (let refused = 0; refused < 4; refused += 1) {
    call('overload')
    advance(200)
  }
  advance(500)
  assert.equal(view().phase, 'closed')
  assert.notEqual(view().pace, null)
})

test('at low traffic one question does not open the circuit, however often it is tried; the next that fails does', () => {
  const { call, advance, view } = testLane()
  const calls = [FIRST, RETRY, RETRY, RETRY].map((ask) => {
    const ended = call('fault', ask)
    advance(500)
    return ended
  })
  assert.deepEqual(calls, ['fault', 'fault', 'fault', 'no-retries'])
  advance(5000)
  assert.equal(view().phase, 'closed')
  call('fault')
  advance(500)
  assert.equal(view().phase, 'open')
})

test('retries that succeeded before do not excuse later failures', () => {
  const { call, advance, view } = testLane()
  call('fault')
  call('success', RETRY)
  advance(4000)
  for (let turn = 0; turn < 3; turn += 1) {
    assert.equal(view().phase, 'closed')
    call('fault')
    advance(1000)
  }
  assert.equal(view().phase, 'open')
})

test('at low traffic the number of failures in the table opens the circuit, even with successes in between', () => {
  const { call, advance, view } = testLane()
  for (let failure = 0; failure < 5; failure += 1) {
    assert.equal(view().phase, 'closed')
    call('success')
    call('fault')
    advance(4000)
  }
  assert.equal(view().phase === 'closed', false)
})

test('old failures do not count, consecutive or not', () => {
  const { call, advance, view } = testLane()
  for (let failure = 0; failure < 6; failure += 1) {
    call('fault')
    advance(31_000)
  }
  assert.equal(view().phase, 'closed')
})

test('any number of invalid requests leaves the circuit closed', () => {
  const { calls, view } = testLane()
  calls(500, 20_000, () => 'neutral')
  assert.deepEqual([view().phase, view().level], ['closed', 'normal'])
})
