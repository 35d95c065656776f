// Deadlines that count only time in which an answer could have been heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { manualClock } from '../../test/fixtures/manual-clock.ts'
import { fairTimers } from './fair-timers.ts'

/** Its timers fire `lateMs` after they are due, as those of a busy process do. */
function busyClock(lateMs: number) {
  const clock = manualClock()
  let skewMs = 0
  const after = (ms: number, action: () => void) =>
    clock.after(ms, () => {
      skewMs += lateMs
      action()
    })
  return { ...clock, after, now: () => clock.now() + skewMs }
}

test('an idle process fires in time, once, and not when it is disposed of', async () => {
  const clock = manualClock()
  let fired = 0
  fairTimers({ clock }).after(50, () => (fired += 1))
  const disposed = fairTimers({ clock }).after(50, () => (fired += 100))
  disposed[Symbol.dispose]()
  await clock.advance(49)
  assert.equal(fired, 0)
  await clock.advance(1)
  await settled()
  assert.equal(fired, 1)
  await clock.advance(1000)
  assert.equal(fired, 1)
})

test('an answer that is there when the time is up is in time', async () => {
  const clock = manualClock()
  const deferred: (() => void)[] = []
  let fired = false
  const timer = fairTimers({ clock: { ...clock, defer: (action) => void deferred.push(action) } }).after(
    50,
    () => (fired = true),
  )
  await clock.advance(50)
  timer[Symbol.dispose]()
  assert.equal(deferred.length, 1)
  for (const action of deferred) action()
  assert.equal(fired, false)
})

test('time that the process was busy is given again, a bounded number of times', async () => {
  const clock = busyClock(200)
  let fired = false
  fairTimers({ clock }).after(50, () => (fired = true))
  let deadlines = 0
  for (; !fired && deadlines < 20; deadlines += 1) {
    await clock.advance(50)
    await settled()
    await settled()
  }
  assert.equal(deadlines, 4)
})

test('a process that was busy in the middle of a deadline gives it again, also when the deadline itself is met in time', async () => {
  const manual = manualClock()
  let skewMs = 0
  const clock = {
    ...manual,
    now: () => manual.now() + skewMs,
    // The first look at the event loop comes late, and nothing after it.
    after: (ms: number, action: () => void) =>
      manual.after(ms, () => {
        if (ms < 50 && skewMs === 0) skewMs = 20
        action()
      }),
  }
  let fired = false
  fairTimers({ clock }).after(50, () => (fired = true))
  const pass = async (ms: number) => {
    await manual.advance(ms)
    await settled()
    await settled()
  }
  await pass(50)
  assert.equal(fired, false)
  await pass(50)
  assert.equal(fired, true)
})

test('while earlier answers keep arriving a call waits its turn, a bounded time; a silence of its length is late', async () => {
  const clock = manualClock()
  let heardAt = 0
  let fired = 0
  const timers = fairTimers({ clock, heardAt: () => heardAt })
  const step = async () => {
    await clock.advance(10)
    await settled()
    await settled()
  }
  timers.after(50, () => (fired += 1))
  for (let answers = 0; answers < 20; answers += 1) {
    heardAt = clock.now()
    await step()
  }
  assert.equal(fired, 0, 'the answers before its own are arriving')
  for (let steps = 0; steps < 5; steps += 1) await step()
  assert.equal(fired, 1, 'nothing was heard for as long as a call may take')
  timers.after(50, () => (fired += 1))
  for (let answers = 0; answers < 150; answers += 1) {
    heardAt = clock.now()
    await step()
  }
  assert.equal(fired, 2, 'nobody waits for ever')
})
