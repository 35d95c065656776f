// Opens a turn in the shared log. A turn whose opening was sent and not answered may be there, and then another node can
// take it over: its owner has to wait for the shared log before it ends the turn. So while calls fail, the opening is sent
// only after an answer, and the turn begins surely outside the shared log.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Redis } from '../client/connection.ts'
import type { LeaseIndex } from './lease-index.ts'
import type { Shared } from './owned-turn.ts'
import type { TurnStore } from './turn-store.ts'

export interface OpenSharedParts {
  readonly index: Pick<LeaseIndex, 'add'>
  readonly store: Pick<TurnStore, 'open'>
  readonly redis: Pick<Redis, 'troubledAt'>
  readonly clock: Pick<Clock, 'now'>
}

export interface OpenedTurn {
  readonly shared: Shared
  /** The end of the lease as the index of leases knows it; undefined when it may not know the turn. */
  readonly indexedUntil: number | undefined
}

/** For this long after a failed call Redis may still be unavailable. */
const TROUBLED_MS = 10_000

/** Returns undefined when the turn exists already. */
export async function openShared(
  { clock, index, redis, store }: OpenSharedParts,
  start: TurnStart,
  leaseMs: number,
): Promise<OpenedTurn | undefined> {
  // Sent first, and retried before the turn is announced: a turn only in the index does no harm, and one that is missing in
  // it is found only by its readers.
  const indexing = orUnavailable(() => index.add(start.turnId, leaseMs))
  const isTroubled = clock.now() - redis.troubledAt() < TROUBLED_MS
  if (isTroubled && (await indexing) instanceof StoreUnavailable) {
    return { shared: { type: 'absent' }, indexedUntil: undefined }
  }
  const opened = await orUnavailable(() => store.open(start, leaseMs))
  if (opened === false) return undefined
  const indexed = await indexing
  const indexedUntil = indexed instanceof StoreUnavailable ? undefined : indexed
  if (!(opened instanceof StoreUnavailable)) return { shared: { type: 'held', seq: 0 }, indexedUntil }
  return { shared: { type: opened.mayHaveHappened ? 'unanswered' : 'absent' }, indexedUntil }
}
