// Who is there: by how many, until they leave one way or the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenersOf } from '#fixtures/time/streams.ts'
import { Attendance } from './attendance.ts'

function setUp() {
  const time = { now: 1000 }
  return { time, attendance: new Attendance(() => time.now) }
}

test('nobody is there from the beginning, or from when it is said', () => {
  const { time, attendance } = setUp()
  time.now += 5
  assert.equal(attendance.emptyMs(), 5)
  assert.equal(new Attendance(() => 1000, 900).emptyMs(), 100)
})

test('it is empty from when the last one has left, whether told or aborted', () => {
  const { time, attendance } = setUp()
  const controller = new AbortController()
  const aborted = attendance.attend(controller.signal)
  const told = attendance.attend(new AbortController().signal)
  time.now += 5
  assert.equal(attendance.emptyMs(), 0)
  controller.abort()
  time.now += 5
  assert.equal(attendance.emptyMs(), 0)
  told[Symbol.dispose]()
  time.now += 7
  aborted[Symbol.dispose]()
  assert.equal(attendance.emptyMs(), 7)
})

test('whoever leaves stops listening, and whoever was aborted before never came', () => {
  const { time, attendance } = setUp()
  const { signal } = new AbortController()
  attendance.attend(signal)[Symbol.dispose]()
  assert.equal(listenersOf(signal), 0)
  time.now += 5
  attendance.attend(AbortSignal.abort())[Symbol.dispose]()
  assert.equal(attendance.emptyMs(), 5)
})
