// The start of a turn as an owner after the first must take it: whether the conversation was created is not in the log, so it is
// created again, which changes nothing if it is there. Without that, the first turn of a conversation that began while its store was
// unavailable would be lost with its node.
import type { TurnStart } from './log-records.ts'

export function startForOthers(start: TurnStart): TurnStart {
  return start.beginsSession === true && start.unsaved === undefined ? { ...start, unsaved: 'new' } : start
}
