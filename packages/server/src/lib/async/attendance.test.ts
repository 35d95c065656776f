// Attendance counts readers until each one is disposed of or aborted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenersOf } from '#fixtures/time/streams.ts'
import { Attendance } from './attendance.ts'

function setUp() {
  const time = { now: 1000 }
  return { time, attendance: new Attendance(() => time.now) }
}

test('without a reader the empty time counts from creation, or from the given moment', () => {
  const { time, attendance } = setUp()
  time.now += 5
  assert.equal(attendance.emptyMs(), 5)
  assert.equal(new Attendance(() => 1000, 900).emptyMs(), 100)
})

test('the empty time counts from when the last reader left, by dispose or by abort', () => {
  const { time, attendance } = setUp()
  const controller = new AbortController()
  const aborted = attendance.attend(controller.signal)
  const disposed = attendance.attend(new AbortController().signal)
  time.now += 5
  assert.equal(attendance.emptyMs(), 0)
  controller.abort()
  time.now += 5
  assert.equal(attendance.emptyMs(), 0)
  disposed[Symbol.dispose]()
  time.now += 7
  aborted[Symbol.dispose]()
  assert.equal(attendance.emptyMs(), 7)
})

test('a reader that leaves removes its listener, and one that was aborted before is not counted', () => {
  const { time, attendance } = setUp()
  const { signal } = new AbortController()
  attendance.attend(signal)[Symbol.dispose]()
  assert.equal(listenersOf(signal), 0)
  time.now += 5
  attendance.attend(AbortSignal.abort())[Symbol.dispose]()
  assert.equal(attendance.emptyMs(), 5)
})
