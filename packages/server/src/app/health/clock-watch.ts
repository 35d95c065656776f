// Reports when the machine's clock is set, which no other part notices: durations continue, but dates and tokens depend on it.
// A round of every node.
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

interface ClockWatchParts {
  readonly clock: Pick<Clock, 'now' | 'machineTime'>
  readonly telemetry: Pick<Telemetry, 'log'>
}

const NOTABLE_MS = 60_000

export function createClockWatch({ clock, telemetry }: ClockWatchParts): () => Promise<void> {
  let reportedMs = 0
  return async () => {
    const now = clock.now()
    const aheadMs = Math.round(clock.machineTime() - now)
    if (Math.abs(aheadMs - reportedMs) < NOTABLE_MS) return
    if (Math.abs(aheadMs) < NOTABLE_MS) {
      reportedMs = 0
      return telemetry.log('info', 'clock.agrees', {})
    }
    reportedMs = aheadMs
    telemetry.log('warn', 'clock.set', { aheadMs, advice: aheadMs > 0 ? CHECK_IT : RESTART })
  }
}

const CHECK_IT = 'Is the clock of the machine right? If not, correct it now.'
const RESTART = 'Dates and days of budgets are ahead of the clock: restart this node once its clock is right.'
