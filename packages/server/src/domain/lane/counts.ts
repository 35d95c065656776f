// The counts of a lane, made by one process or by Redis scripts: the controller's only input. The counting side decides
// nothing except the comparisons of `gate.ts`.
import type { Cell } from './cells.ts'

export interface ProbeCounts {
  /** The epoch of these probes; probes of an older epoch are not counted. */
  readonly epoch: number
  readonly taken: number
  readonly passed: number
  readonly failed: number
  /** Ended without a verdict: the owner died, the caller left, or the request was invalid. */
  readonly lost: number
}

export interface LaneCounts {
  /** The oldest first, at most `CELLS_MAX`. */
  readonly cells: readonly Cell[]
  /** Outstanding permits, plus slots that an overload still holds. */
  readonly inFlight: number
  /** The retry bucket. */
  readonly bucket: number
  readonly failuresRunning: number
  readonly successesRunning: number
  readonly probes: ProbeCounts
}
