// Applies an operator's action to a lane. `force-open` lets no call pass until the next action; `disable` switches off circuit
// and limit and leaves only the retry budget; `reset` returns the lane to the controller in its initial state.
import { startState } from './state.ts'
import type { LaneState, OperatorMark } from './state.ts'

export function operate(state: LaneState, mark: OperatorMark): LaneState {
  const fresh = startState(state.policy, mark.at)
  // A new epoch and start time: neither earlier failures nor calls in flight count against the lane afterwards.
  return { ...fresh, epoch: state.epoch + 1, operator: mark, phase: { ...fresh.phase, since: mark.at } }
}

/** Whether an operator's action, not the controller, decides what passes. */
export function isOperated(state: LaneState): boolean {
  return state.operator !== null && state.operator.action !== 'reset'
}
