// How people behave: what a scenario says of them, and what only some runs want besides.
import type { ScenarioPeople } from '../scenario/scenario.ts'

export interface PersonHabits extends ScenarioPeople {
  /** Ask something more in the same conversation. */
  readonly secondShare: number
  /** Ask what others asked before, so that a cached answer may do. */
  readonly repeatShare: number
  /** While the store stands still: send the same key again, to another node. */
  readonly sendAgainShare?: number
}
