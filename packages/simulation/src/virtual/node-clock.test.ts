// The clock of a simulated node can be wrong, pause and be cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { seededRandom } from './random.ts'
import { NodeClock } from './node-clock.ts'
import { VirtualTime } from './time.ts'

const STARTS_AT = 1_800_000_000_000

function world() {
  const time = new VirtualTime({ startsAt: STARTS_AT, random: seededRandom('ties'), drain: promiseDrain() })
  const pass = async (ms: number) => {
    const until = time.now() + ms
    time.after(ms, () => {})
    await time.run({ until, eventsMax: 10_000 })
  }
  return { time, pass, clock: new NodeClock(time) }
}

test('timers that fall due while the clock is paused run on resume, in the order of their times', async () => {
  const { clock, pass } = world()
  const ran: number[] = []
  for (const ms of [30, 10, 20]) clock.after(ms, () => ran.push(ms))
  const cancelled = clock.after(15, () => ran.push(15))
  clock.pause()
  await pass(100)
  assert.deepEqual(ran, [])
  cancelled[Symbol.dispose]()
  clock.resume()
  await pass(1)
  assert.deepEqual(ran, [10, 20, 30])
  assert.equal(clock.isPaused, false)
})

test('a clock that is ahead reads so, and never runs backwards when it is set back', async () => {
  const { clock, pass } = world()
  clock.aheadMs = 500
  assert.equal(clock.now(), STARTS_AT + 500)
  clock.aheadMs = 0
  await pass(100)
  assert.equal(clock.now(), STARTS_AT + 600)
})

test('a clock that was cut never calls back', async () => {
  const { clock, pass } = world()
  let ran = false
  clock.after(10, () => (ran = true))
  clock.cut()
  await pass(100)
  assert.equal(ran, false)
})
