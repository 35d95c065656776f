// A signal that follows another one and has a deadline of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { listenersOf } from '#fixtures/time/streams.ts'
import { boundedSignal, Late } from './bounded-signal.ts'

test('it aborts with the caller, for the caller’s reason', () => {
  const caller = new AbortController()
  using bound = boundedSignal(manualClock(), caller.signal, 1000)
  caller.abort('enough')
  assert.equal(bound.signal.reason, 'enough')
  using late = boundedSignal(manualClock(), caller.signal, 1000)
  assert.equal(late.signal.aborted, true)
})

test('it aborts at its deadline, and leaves no timer and no listener', async () => {
  const clock = manualClock()
  const caller = new AbortController()
  {
    using bound = boundedSignal(clock, caller.signal, 1000)
    await clock.advance(999)
    assert.equal(bound.signal.aborted, false)
    await clock.advance(1)
    assert.ok(bound.signal.reason instanceof Late)
  }
  assert.deepEqual([clock.timers(), listenersOf(caller.signal)], [0, 0])
})
