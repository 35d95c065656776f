// Deadlines that count only time in which this process could have read an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { fairTimers } from './fair-timers.ts'

/** An event loop with turns of a given length: each runs the due timers, then reads input, then runs deferred actions. */
function slowLoop() {
  let now = 1000
  const timers = new Set<{ readonly at: number; readonly action: () => void }>()
  let deferred: (() => void)[] = []
  return {
    now: () => now,
    after(ms: number, action: () => void) {
      const timer = { at: now + ms, action }
      timers.add(timer)
      return { [Symbol.dispose]: () => void timers.delete(timer) }
    },
    defer: (action: () => void) => void deferred.push(action),
    timers,
    turn(ms: number, read: () => void = () => {}) {
      now += ms
      const due = [...timers].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
      for (const timer of due) if (timers.delete(timer)) timer.action()
      read()
      const actions = deferred
      deferred = []
      for (const action of actions) action()
    },
  }
}

test('in an idle process a timer fires once at its time, and never after disposal', async () => {
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

test('one long turn of the event loop does not fire the timer; four do', () => {
  const loop = slowLoop()
  let fired = false
  fairTimers({ clock: loop }).after(50, () => (fired = true))
  for (let turns = 0; turns < 3; turns += 1) loop.turn(2000)
  assert.equal(fired, false)
  loop.turn(2000)
  assert.equal(fired, true)
  assert.equal(loop.timers.size, 0)
})

test('an answer that is read in the same turn as the deadline is in time', () => {
  const loop = slowLoop()
  let fired = false
  const timer = fairTimers({ clock: loop }).after(50, () => (fired = true))
  for (let turns = 0; turns < 3; turns += 1) loop.turn(2000)
  loop.turn(2000, () => timer[Symbol.dispose]())
  for (let turns = 0; turns < 10; turns += 1) loop.turn(2000)
  assert.equal(fired, false)
  assert.equal(loop.timers.size, 0)
})

test('a call that starts within a long turn is not charged for the rest of that turn', () => {
  const loop = slowLoop()
  const timers = fairTimers({ clock: loop })
  let fired = false
  timers.after(50, () => {})
  loop.turn(2000, () => timers.after(50, () => (fired = true)))
  for (let turns = 0; turns < 3; turns += 1) loop.turn(2000)
  assert.equal(fired, false)
  loop.turn(2000)
  assert.equal(fired, true)
})

test('after a long turn an idle loop counts the time that passes', () => {
  const loop = slowLoop()
  let fired = false
  fairTimers({ clock: loop }).after(48, () => (fired = true))
  loop.turn(2000)
  for (let ms = 0; ms < 35; ms += 1) loop.turn(1)
  assert.equal(fired, false)
  loop.turn(1)
  assert.equal(fired, true)
})

test('calls that were made together wait for each other, for a bounded time', async () => {
  const clock = manualClock()
  const timers = fairTimers({ clock })
  let fired = 0
  const open = Array.from({ length: 100 }, () => timers.after(50, () => (fired += 1)))
  await clock.advance(148)
  assert.equal(fired, 0, 'Redis may be working through them')
  for (const timer of open.slice(1)) timer[Symbol.dispose]()
  await clock.advance(2)
  assert.equal(fired, 1, 'the only open call has used its time')
  for (let calls = 0; calls < 1500; calls += 1) timers.after(50, () => (fired += 1))
  await clock.advance(1000)
  assert.equal(fired, 1501)
  assert.equal(clock.timers(), 0)
})

test('a call waits longer, up to a bound, while earlier answers arrive; a silence as long as its limit fires', async () => {
  const clock = manualClock()
  let fired = 0
  const timers = fairTimers({ clock })
  const step = async () => {
    await clock.advance(10)
    await settled()
    await settled()
  }
  timers.after(50, () => (fired += 1))
  for (let answers = 0; answers < 20; answers += 1) {
    timers.answerReceived()
    await step()
  }
  assert.equal(fired, 0, 'the answers before its own are arriving')
  for (let steps = 0; steps < 5; steps += 1) await step()
  assert.equal(fired, 1, 'no answer arrived for as long as a call may take')
  timers.after(50, () => (fired += 1))
  for (let answers = 0; answers < 150; answers += 1) {
    timers.answerReceived()
    await step()
  }
  assert.equal(fired, 2, 'the wait is bounded')
})
