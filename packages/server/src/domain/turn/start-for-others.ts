// Adapts the start of a turn for a later owner. The log does not say whether the conversation was created, so the later
// owner creates it again, which changes nothing if it exists. Otherwise the first turn of a conversation that began
// while its store was unavailable would be lost with its node.
import type { TurnStart } from './log-records.ts'

export function startForOthers(start: TurnStart): TurnStart {
  return start.beginsSession === true && start.unsaved === undefined ? { ...start, unsaved: 'new' } : start
}
