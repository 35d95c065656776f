// Decides when a circuit opens: on nearly total loss, because opening at half would refuse the half that succeeds. At low
// traffic a rate means little, so a few consecutive failures, or the count of the table of circuits, open it.
import { CELL_MS, CELLS_MAX, sumSince } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import type { LaneSettings } from './settings.ts'

interface Moment {
  readonly now: number
  /** Earlier outcomes do not count. */
  readonly since: number
}

export function isTripped(counts: LaneCounts, settings: LaneSettings, { now, since }: Moment): boolean {
  const { trip, circuit } = settings
  const recent = (windowMs: number) => sumSince(counts.cells, Math.max(since, now - windowMs))
  const isLost = trip.windows.some(({ ms, callsMin }) => {
    const { calls, failures } = recent(ms)
    return calls >= callsMin && failures >= calls * trip.loss
  })
  const { calls, failures } = recent(circuit.windowMs)
  const run = Math.min(counts.failuresRunning, failures)
  if (isLost || run >= trip.failuresRunningMax) return true
  if (!isLowTraffic(counts, settings, now)) return false
  return run >= trip.failuresRunning || (calls < trip.lowTrafficCalls && failures >= circuit.failures)
}

/** Averaged over the last minute, so that a busy lane is not taken for a quiet one right after it was open. */
function isLowTraffic({ cells }: LaneCounts, { trip }: LaneSettings, now: number): boolean {
  const windowMs = Math.max(...trip.windows.map(({ ms }) => ms))
  const spanMs = Math.min(CELLS_MAX * CELL_MS, Math.max(windowMs, now - (cells[0]?.at ?? now)))
  return (sumSince(cells, now - spanMs).calls * windowMs) / spanMs < trip.lowTrafficCalls
}
