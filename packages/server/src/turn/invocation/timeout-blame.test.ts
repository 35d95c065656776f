// Decides which timeouts count against a lane.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAdmitted } from '#fixtures/turns/turns.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { TimeoutBlame } from './timeout-blame.ts'

const SILENT = { kind: 'failed', class: 'timeout' } as const
const completion = { system: '', messages: [], models: ['primary'] }
const by = (id: string, kind: 'guest' | 'user' | 'key' = 'guest', isCompletion = true) =>
  sampleAdmitted({ principal: { id, kind, tier: 'free' }, ...(isCompletion ? { completion } : {}) })

test('timeouts of one caller’s own prompts say nothing about the lane', () => {
  const timeouts = new TimeoutBlame(manualClock())
  for (let calls = 0; calls < 50; calls += 1) assert.equal(timeouts.judge('lane', by('guest_1'), SILENT), 'neutral')
  assert.equal(timeouts.judge('lane', by('user:id:1', 'user'), SILENT), 'silent', 'the second one bears the first out')
  assert.equal(timeouts.judge('lane', by('guest_1'), SILENT), 'silent')
  assert.equal(timeouts.judge('other', by('guest_1'), SILENT), 'neutral', 'by lane')
})

test('after a failure of another principal, timeouts count for half a minute', async () => {
  const clock = manualClock()
  const timeouts = new TimeoutBlame(clock)
  assert.equal(
    timeouts.judge('lane', by('guest_2', 'guest', false), SILENT),
    'silent',
    'a shopper’s question always counts',
  )
  assert.equal(timeouts.judge('lane', by('guest_1'), SILENT), 'silent')
  await clock.advance(31_000)
  assert.equal(timeouts.judge('lane', by('guest_1'), SILENT), 'neutral')
})

test('everything else counts as before: faults, throttling, success, a program with a key', () => {
  const timeouts = new TimeoutBlame(manualClock())
  assert.equal(timeouts.judge('lane', by('guest_1'), { kind: 'failed', class: 'throttled' }), 'overload')
  assert.equal(timeouts.judge('lane', by('guest_1'), { kind: 'failed', class: 'unavailable' }), 'fault')
  assert.equal(timeouts.judge('lane', by('guest_1'), { kind: 'failed', class: 'cancelled' }), 'neutral')
  assert.equal(timeouts.judge('lane', by('guest_1'), { kind: 'ended', stopReason: 'end' }), 'success')
  assert.equal(timeouts.judge('lane2', by('key:till', 'key'), SILENT), 'silent')
})
