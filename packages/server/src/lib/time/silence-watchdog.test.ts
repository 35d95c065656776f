// Silence is when nothing arrives in time, not when this process was too busy to read what has arrived.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { silenceWatchdog } from './silence-watchdog.ts'

function watched(clock = manualClock()) {
  const seen = { silences: 0 }
  const watchdog = silenceWatchdog(clock, () => (seen.silences += 1))
  return { clock, watchdog, seen }
}

test('silence is reported when the latest expectation has passed, and not sooner', async () => {
  const { clock, watchdog, seen } = watched()
  watchdog.expectWithin(100)
  await clock.advance(90)
  watchdog.expectWithin(100)
  await clock.advance(99)
  assert.equal(seen.silences, 0)
  await clock.advance(1)
  await settled()
  assert.equal(seen.silences, 1)
})

test('a shorter expectation replaces a longer one, and nothing is reported after disposal', async () => {
  const { clock, watchdog, seen } = watched()
  watchdog.expectWithin(1000)
  watchdog.expectWithin(10)
  await clock.advance(10)
  await settled()
  assert.equal(seen.silences, 1)
  const other = watched()
  other.watchdog.expectWithin(10)
  other.watchdog[Symbol.dispose]()
  await other.clock.advance(100)
  assert.deepEqual([other.seen.silences, other.clock.timers()], [0, 0])
})

test('text that arrived while the process was too busy to read it is not silence', async () => {
  const clock = manualClock()
  const deferred: (() => void)[] = []
  const { watchdog, seen } = watched({ ...clock, defer: (action) => void deferred.push(action) })
  watchdog.expectWithin(100)
  await clock.advance(100)
  // The event loop runs the timers first and reads input afterwards.
  watchdog.expectWithin(100)
  for (const action of deferred) action()
  assert.equal(seen.silences, 0)
})
