// Holds the clocks, real and manual, to the contract of their port.
import { setTimeout as passed } from 'node:timers/promises'
import { clockContract } from '#ports/clock.contract.ts'
import { loopClock } from '../../../test/fixtures/loop-clock.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { systemClock } from './clock.ts'

clockContract('system clock', () => ({ clock: systemClock(), pass: (ms) => passed(ms) }))

// The clocks that tests are run with keep the same one.
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
