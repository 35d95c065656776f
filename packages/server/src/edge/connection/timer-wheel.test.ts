// Many due times on one timer: each is called at its time, ended ones never again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { TimerWheel } from './timer-wheel.ts'

function wheelOf() {
  const clock = manualClock(0)
  const timers = new TimerWheel(clock)
  const seen: string[] = []
  const add = (name: string, everyMs: number, times = Infinity) => {
    let left = times
    timers.add({
      dueAt: clock.now() + everyMs,
      onDue() {
        seen.push(`${name}@${clock.now()}`)
        left -= 1
        return left > 0 ? clock.now() + everyMs : undefined
      },
    })
  }
  return { add, clock, timers, seen }
}

test('each entry is called when it is due, by one timer', async () => {
  const { add, clock, seen } = wheelOf()
  add('slow', 50)
  add('quick', 20)
  await clock.advance(60)
  assert.deepEqual(seen, ['quick@20', 'quick@40', 'slow@50', 'quick@60'])
  assert.equal(clock.timers(), 1)
})

test('an entry without a next time is removed, and then there is no timer', async () => {
  const { add, clock, seen } = wheelOf()
  add('twice', 10, 2)
  await clock.advance(100)
  assert.deepEqual(seen, ['twice@10', 'twice@20'])
  assert.equal(clock.timers(), 0)
})

test('many entries that are due together are all called', async () => {
  const { add, clock, seen } = wheelOf()
  for (let index = 0; index < 1000; index += 1) add(`${index}`, 10, 1)
  await clock.advance(10)
  assert.equal(seen.length, 1000)
})

test('after the end no entry is called', async () => {
  const { add, clock, timers, seen } = wheelOf()
  add('one', 10)
  timers[Symbol.dispose]()
  add('late', 10)
  await clock.advance(100)
  assert.deepEqual(seen, [])
  assert.equal(clock.timers(), 0)
})
