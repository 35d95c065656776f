// Breaches that are unavoidable while the store is unavailable, each by its kind and only where its cause was seen: a
// standalone node cannot know what another node was asked, and a paused node is taken for dead. Every other report of a
// watcher is a breach. Beside each cause is what it would cost to close it.
import { breachKind } from './breach-kind.ts'
import type { SwarmWorld } from './swarm-world.ts'
import type { Watchers } from './watched-stores.ts'

/**
 * Its owner had begun to answer and paused before the log had the turn, for longer than another node waits: the owner
 * was taken for dead, and the question was admitted again. To close it, the owner would have to verify its claim of the key after it has
 * opened the log, because the two are in different slots: one more round trip before the first word of every turn, and a pause right after
 * it would still do the same.
 */
const isUndone = (turnId: string, { money, turns }: Watchers) =>
  turns.turns.get(turnId)?.isLate === true && money.undone.has(turnId)

/**
 * One of the two turns was granted by a node that was the only one cut off from the store: it could not write the key,
 * and the other nodes could not know of the turn. To close it, a node without the store would have to refuse also the first sending of a
 * question: none of its shoppers would be answered until the balancer has noticed.
 */
const isOfCutOffNode = (turnId: string, { money, turns }: Watchers, world: Cuts) => {
  const start = turns.turns.get(turnId)?.start
  return start !== undefined && !money.wasGranted(turnId) && world.wasCutOff(start)
}

type Cuts = Pick<SwarmWorld, 'wasCutOff'>

const EXCUSES: Readonly<Record<string, (turnId: string, watchers: Watchers, world: Cuts) => boolean>> = {
  'guest ran as two turns over several connections': isOfCutOffNode,
  'a key was answered twice': (turnId, watchers, world) =>
    isOfCutOffNode(turnId, watchers, world) || isUndone(turnId, watchers),
}

export function isExcused(breach: string, watchers: Watchers, world: Cuts): boolean {
  const isCause = EXCUSES[breachKind(breach)]
  const turnIds = breach.match(/turn_\w+/g) ?? []
  return isCause !== undefined && turnIds.some((turnId) => isCause(turnId, watchers, world))
}
