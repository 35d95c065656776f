// Decides when a circuit opens: on nearly total loss, because opening at half would refuse the half that succeeds. At low
// traffic a rate means little, so a few consecutive failures, or the count of the table of circuits, open it; but not those of one
// question alone, which may itself be the reason. Failures less retries are the questions that failed, at least.
// A call that fails at once costs its question little, which another model answers: a busy circuit opens for such failures only when they last.
import { CELL_MS, CELLS_MAX, sumOf, sumSince } from './cells.ts'
import type { Cell, Sum } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import type { LaneSettings } from './settings.ts'

interface Moment {
  readonly now: number
  /** Earlier outcomes do not count. */
  readonly since: number
}

export function isTripped(counts: LaneCounts, settings: LaneSettings, { now, since }: Moment): boolean {
  const { trip, circuit } = settings
  const recent = (windowMs: number) => counts.cells.filter(({ at }) => at >= Math.max(since, now - windowMs))
  const longestMs = Math.max(...trip.windows.map(({ ms }) => ms))
  const isLost = trip.windows.some(({ ms, callsMin }) => {
    const { calls, failures, silents } = sumOf(recent(ms))
    const isPatient = ms < longestMs && silents < failures * trip.slowShare
    return calls >= callsMin && failures >= calls * trip.loss && !isPatient
  })
  const cells = recent(circuit.windowMs)
  const { calls, failures, retries } = sumOf(cells)
  const run = Math.min(counts.failuresRunning, failures)
  const runMax = Math.max(trip.failuresRunningMax, sumOf(recent(trip.failuresRunningMs)).calls)
  if (isLost || (run >= runMax && isSlowRun(cells, run, trip.slowShare))) return true
  if (!isLowTraffic(counts, settings, now)) return false
  const newest = sumOfNewest(cells, run)
  // A provider that refuses calls for load, and grants as many: its pace is the answer.
  const isPaced = settings.pace !== null && newest.overloads === newest.failures
  const isGranting = isPaced && sumOf(recent(longestMs)).successes >= run
  if (run >= trip.failuresRunning && run - newest.retries >= trip.turnsMin && !isGranting) return true
  return calls < trip.lowTrafficCalls && failures >= circuit.failures && failures - retries >= trip.turnsMin
}

/** Whether a quiet lane would be open if its failures were not those of one question: then nothing more is tried again. */
export function isSuspect(counts: LaneCounts, settings: LaneSettings, { now, since }: Moment): boolean {
  const { circuit, trip } = settings
  if (counts.failuresRunning < trip.failuresRunning) return false
  const { failures } = sumSince(counts.cells, Math.max(since, now - circuit.windowMs))
  return failures >= trip.failuresRunning && isLowTraffic(counts, settings, now)
}

/** Whether some failures of a run were silent: the silent calls of a healthy minute before it do not count. */
function isSlowRun(cells: readonly Cell[], run: number, slowShare: number): boolean {
  const { failures, silents } = sumOfNewest(cells, run)
  return silents >= failures * slowShare
}

/** The sum of the newest cells that together hold so many failures. */
function sumOfNewest(cells: readonly Cell[], failures: number): Sum {
  let found = 0
  const first = cells.findLastIndex(
    ({ faults, overloads, silents }) => (found += faults + overloads + silents) >= failures,
  )
  return sumOf(cells.slice(Math.max(0, first)))
}

/** Averaged over the last minute, so that a busy lane is not taken for a quiet one right after it was open. */
function isLowTraffic({ cells }: LaneCounts, { trip }: LaneSettings, now: number): boolean {
  const windowMs = Math.max(...trip.windows.map(({ ms }) => ms))
  const spanMs = Math.min(CELLS_MAX * CELL_MS, Math.max(windowMs, now - (cells[0]?.at ?? now)))
  return (sumSince(cells, now - spanMs).calls * windowMs) / spanMs < trip.lowTrafficCalls
}
