// What is counted on a lane, by one process or by scripts on shared state: the controller's only sight of the world.
// Whoever counts decides nothing but what `gate.ts` spells out in plain comparisons.
import type { Cell } from './cells.ts'

export interface ProbeCounts {
  /** Whose probes these are; those of an older epoch are forgotten. */
  readonly epoch: number
  readonly taken: number
  readonly passed: number
  readonly failed: number
  /** Ended without a verdict: the owner died, the caller left, the request was at fault. */
  readonly lost: number
}

export interface LaneCounts {
  /** The oldest first, at most `CELLS_MAX`. */
  readonly cells: readonly Cell[]
  /** Permits out, and slots that an overload still holds. */
  readonly inFlight: number
  /** What retries can be paid from. */
  readonly bucket: number
  readonly failuresRunning: number
  readonly successesRunning: number
  readonly probes: ProbeCounts
}
