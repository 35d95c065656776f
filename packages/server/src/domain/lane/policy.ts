// What a lane's controller is, whichever rules it follows: a state, a tick over the counts, a gate. All pure; time and chance
// are handed in. A process ticks it over its own counts, a fleet's lease holder over everyone's.
import type { TickMoment } from './circuit.ts'
import type { LaneCounts } from './counts.ts'
import type { Gate } from './gate.ts'
import type { LaneSettings } from './settings.ts'
import type { LaneState } from './state.ts'

export interface LanePolicy {
  readonly name: LaneState['policy']
  readonly settings: LaneSettings
  /** To be called every `tickMs`. */
  tick(state: LaneState, counts: LaneCounts, moment: TickMoment): LaneState
  /** What passes until the next tick. */
  gate(state: LaneState, counts: LaneCounts, now: number): Gate
}
