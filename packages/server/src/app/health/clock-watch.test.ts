// A clock that was set is reported once each time, and its return too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createClockWatch } from './clock-watch.ts'

test('a clock that is set forward, corrected, and set back is reported once each time', async () => {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const watch = createClockWatch({ clock, telemetry })
  for (const aheadMs of [0, 59_000, 93_600_000, 93_600_500, 0, -93_600_000, -93_600_000, 20]) {
    clock.setMachineTime(aheadMs)
    await watch()
  }
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields?.['aheadMs']]),
    [
      ['clock.set', 93_600_000],
      ['clock.agrees', undefined],
      ['clock.set', -93_600_000],
      ['clock.agrees', undefined],
    ],
  )
})
