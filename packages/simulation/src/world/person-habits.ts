// The behaviour of simulated shoppers: the scenario's habits, and those that only some runs use.
import type { ScenarioPeople } from '../scenario/scenario.ts'

export interface PersonHabits extends ScenarioPeople {
  /** Share that asks a second question in the same conversation. */
  readonly secondShare: number
  /** Share that asks a common question, so that a cached answer may be used. */
  readonly repeatShare: number
  /** Share that repeats its request on another node while the store is paused. */
  readonly sendAgainShare?: number
}
