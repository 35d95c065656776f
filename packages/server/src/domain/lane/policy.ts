// The interface of a lane's controller: a tick that computes the next state from the counts, and a gate made from the state. Pure:
// the caller passes time and randomness. A local lane ticks on its own counts; in a cluster the holder of a lease ticks on all.
import type { TickMoment } from './circuit.ts'
import type { LaneCounts } from './counts.ts'
import type { Gate } from './gate.ts'
import type { LaneSettings } from './settings.ts'
import type { LaneState } from './state.ts'

export interface LanePolicy {
  readonly name: LaneState['policy']
  readonly settings: LaneSettings
  /** Returns the next state. Must be called every `tickMs`. */
  tick(state: LaneState, counts: LaneCounts, moment: TickMoment): LaneState
  /** What passes until the next tick. */
  gate(state: LaneState, counts: LaneCounts, now: number): Gate
}
