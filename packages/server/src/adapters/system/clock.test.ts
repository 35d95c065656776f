// Runs the contract of the clock on the real and the manual clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import { clockContract } from '#ports/clock/contract.ts'
import { loopClock } from '#fixtures/time/loop-clock.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { systemClock } from './clock.ts'

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

test('when the machine’s clock is set back, time continues by the monotonic clock until the machine’s is later again', () => {
  const source = { wall: 1_000_000, monotonic: 5.5 }
  const clock = systemClock({ wallMs: () => source.wall, monotonicMs: () => source.monotonic })
  const pass = (ms: number, setBy = 0) => {
    source.wall += ms + setBy
    source.monotonic += ms
    return clock.now()
  }
  assert.equal(pass(100), 1_000_100)
  assert.equal(pass(100, -90_000), 1_000_200, 'not a moment is lost')
  assert.equal(pass(2000), 1_002_200)
  assert.equal(pass(0.75), 1_002_200)
  assert.equal(pass(0.5), 1_002_201)
  assert.equal(pass(1000, 3_600_000), source.wall, 'set forward')
  assert.equal(pass(1000, -3_600_000), source.wall + 3_600_000)
})

test('a clock that is corrected just after the start does not stand still', () => {
  const source = { wall: 3_600_000, monotonic: 0 }
  const clock = systemClock({ wallMs: () => source.wall, monotonicMs: () => source.monotonic })
  source.wall = 10
  source.monotonic = 10
  assert.equal(clock.now(), 3_600_010)
})
