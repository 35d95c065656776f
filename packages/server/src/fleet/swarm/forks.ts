// What cannot be promised: an owner that cannot reach the shared log goes on alone, and what it has shown may be more than the
// next owner finds. Such a turn has two stories. Only turns that were taken over can, and only where the store was in trouble.
// A node that grants alone cannot know what was asked of another, and one that finds no log of a turn takes its owner for dead.
import { breachKind } from './breach-kind.ts'
import type { SwarmPlan } from './plan.ts'

/** What differs between the two stories. Everything else holds for these turns too: one charge, one end, no hole. */
const KINDS: ReadonlySet<string> = new Set([
  'what was shown is not what was kept',
  'a conversation has another answer than its turn',
  'two owners settled different amounts',
  'the books and the end of a turn differ',
  'the books and the charge of a turn differ',
  'shown text of turn was changed at #',
  'turn ended with # units, # were shown',
  'turn hashes otherwise',
])

/** Where one node was alone and another was not. */
const ALONE: ReadonlySet<string> = new Set([
  'guest ran as two turns over several lines',
  'a turn was undone while it ran',
])

export function isOfFork(breach: string, isTakenOver: (turnId: string) => boolean): boolean {
  if (ALONE.has(breachKind(breach))) return true
  const turnId = /turn_\w+/.exec(breach)?.[0]
  return turnId !== undefined && KINDS.has(breachKind(breach)) && isTakenOver(turnId)
}

/** Whether the store can be out of a living node's reach. */
export function canFork({ faults, way }: SwarmPlan): boolean {
  return way.lostAfter + way.lostBefore + way.oneWayMs > 0 || faults.some(({ kind }) => kind.startsWith('state-'))
}
