// What cannot be promised while the store is away, each by its name and only where its cause was seen: a node that grants alone
// cannot know what was asked of another, and one that stands still is taken for dead. Everything else that a watcher reports is a breach.
import { breachKind } from './breach-kind.ts'
import type { SwarmWorld } from './swarm-world.ts'
import type { Watchers } from './watched-stores.ts'

/**
 * Its opening was not answered, so its owner answered and ended it alone while nobody else could have it; then it was cut off
 * for longer than the lease, and another answered it too. Shoppers are not kept waiting for a Redis that stands still.
 */
const isAnsweredTwice = (turnId: string, { turns }: Watchers) => turns.isTakenUnanswered(turnId)

/**
 * Its owner had begun to answer it and stood still before the log had it, for longer than another waits for that: it was taken for
 * dead, and the question was admitted again.
 */
const isUndone = (turnId: string, { money, turns }: Watchers) =>
  turns.turns.get(turnId)?.isLate === true && money.undone.has(turnId)

/**
 * One of the two was granted by a node that alone could not reach the store: it cannot write the key down, and the others, whose
 * store is well, cannot know of it.
 */
const isOfCutOffNode = (turnId: string, { money, turns }: Watchers, world: Cuts) => {
  const start = turns.turns.get(turnId)?.start
  return start !== undefined && !money.wasGranted(turnId) && world.wasCutOff(start)
}

type Cuts = Pick<SwarmWorld, 'wasCutOff'>

const EXCUSES: Readonly<Record<string, (turnId: string, watchers: Watchers, world: Cuts) => boolean>> = {
  'guest ran as two turns over several lines': isOfCutOffNode,
  'a key was answered twice': (turnId, watchers, world) =>
    isOfCutOffNode(turnId, watchers, world) || isUndone(turnId, watchers),
  /** The shared log had it only after its owner had begun without. */
  'two owners settled different amounts': isAnsweredTwice,
  'what was shown is not what was kept': isAnsweredTwice,
  'an answer ended before its turn': isAnsweredTwice,
  'the books and the end of a turn differ': isAnsweredTwice,
  'the books and the charge of a turn differ': isAnsweredTwice,
  'a conversation has another answer than its turn': isAnsweredTwice,
}

export function isExcused(breach: string, watchers: Watchers, world: Cuts): boolean {
  const isCause = EXCUSES[breachKind(breach)]
  const turnIds = breach.match(/turn_\w+/g) ?? []
  return isCause !== undefined && turnIds.some((turnId) => isCause(turnId, watchers, world))
}
