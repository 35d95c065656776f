// What a person can do to a lane, with who and when. Forcing it open shuts it until the next act; disabling takes circuit and
// limit away and leaves only the retry budget; a reset gives it back to the controller, as new.
import { startState } from './state.ts'
import type { LaneState, OperatorMark } from './state.ts'

export function operate(state: LaneState, mark: OperatorMark): LaneState {
  const fresh = startState(state.policy, mark.at)
  // Counted from now: what led here is not held against the lane a second time, nor is what is still under way.
  return { ...fresh, epoch: state.epoch + 1, operator: mark, phase: { ...fresh.phase, since: mark.at } }
}

/** Whether a person, and not the controller, says what passes. */
export function isOperated(state: LaneState): boolean {
  return state.operator !== null && state.operator.action !== 'reset'
}
