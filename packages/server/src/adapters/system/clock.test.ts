// Holds the clocks, real and manual, to the contract of their port.
import { setTimeout as passed } from 'node:timers/promises'
import { clockContract } from '#ports/clock.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { systemClock } from './clock.ts'

clockContract('system clock', () => ({ clock: systemClock(), pass: (ms) => passed(ms) }))

// The clock that every other contract is run with keeps the same one.
clockContract('manual clock', () => {
  const clock = manualClock()
  return { clock, pass: (ms) => clock.advance(ms) }
})
