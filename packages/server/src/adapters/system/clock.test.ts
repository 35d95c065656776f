// Runs the contract of the clock on the real and the manual clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import { clockContract } from '#ports/clock/contract.ts'
import { loopClock } from '#fixtures/time/loop-clock.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { CONFIRM_MS, STEP_MS, systemClock } from './clock.ts'

clockContract('system clock', () => ({ clock: systemClock(), pass: (ms) => passed(ms) }))

// The clock of the tests satisfies the same contract.
clockContract('manual clock', () => {
  const clock = manualClock()
  return { clock, pass: (ms) => clock.advance(ms) }
})

clockContract('loop clock', () => {
  const clock = loopClock()
  const pass = async (ms: number) => {
    const until = clock.now() + ms
    while (clock.now() < until) await passed(1)
  }
  return { clock, pass }
})

const HOUR_MS = 3_600_000

function setUp() {
  const source = { wall: 1_000_000, monotonic: 5.5, suspended: 0 }
  const uptimeMs = () => 77_000 + source.monotonic + source.suspended
  const clock = systemClock({ wallMs: () => source.wall, monotonicMs: () => source.monotonic, uptimeMs })
  /** Lets time pass, with the machine's clock set by so much meanwhile. */
  const pass = (ms: number, setBy = 0) => {
    source.wall += ms + setBy
    source.monotonic += ms
    return clock.now()
  }
  return { clock, pass, source }
}

test('when the machine’s clock is set back, time continues by the monotonic clock until the machine’s is later again', () => {
  const { pass, source } = setUp()
  assert.equal(pass(100), 1_000_100)
  assert.equal(pass(100, -90_000), 1_000_200, 'not a moment is lost')
  assert.equal(pass(2000), 1_002_200)
  assert.equal(pass(0.75), 1_002_200)
  assert.equal(pass(0.5), 1_002_201)
  assert.equal(pass(1000, 90_000 + STEP_MS / 2), source.wall, 'a small step forward')
  assert.equal(pass(1000, -HOUR_MS), source.wall + HOUR_MS)
})

test('a clock that is corrected just after the start does not stand still', () => {
  const { pass } = setUp()
  assert.equal(pass(10, -900_000), 1_000_010)
})

test('a clock that is set forward and corrected soon leaves no trace', () => {
  const { clock, pass, source } = setUp()
  assert.equal(pass(1000, 26 * HOUR_MS), 1_001_000)
  assert.equal(clock.machineTime(), source.wall)
  assert.equal(pass(CONFIRM_MS - 1), 1_001_000 + CONFIRM_MS - 1)
  assert.equal(pass(1, -26 * HOUR_MS), source.wall)
  assert.equal(pass(1000, 26 * HOUR_MS), source.wall - 26 * HOUR_MS, 'the next time is measured anew')
})

test('a clock that stays ahead is followed', () => {
  const { pass, source } = setUp()
  pass(1000, 26 * HOUR_MS)
  assert.equal(pass(CONFIRM_MS), source.wall)
  assert.equal(pass(5), source.wall)
})

test('after the machine was suspended, time is right at once', () => {
  const { pass, source } = setUp()
  for (let times = 0; times < 2; times += 1) {
    source.wall += 8 * HOUR_MS
    source.suspended += 8 * HOUR_MS
    assert.equal(pass(10), source.wall)
  }
  assert.equal(pass(10, HOUR_MS), source.wall - HOUR_MS, 'a suspension explains its own time alone')
})
