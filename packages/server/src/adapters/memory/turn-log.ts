// The turn log in memory: for tests and simulations, and the oracle of the other adapters. Followers pull: each
// keeps only the number of the last record it was given.
import type { TurnStart } from '#domain/turn-record.ts'
import { Bell } from '#lib/bell.ts'
import { Topics } from '#lib/topics.ts'
import type { Clock } from '#ports/clock.ts'
import type { LogRecord, TurnLog } from '#ports/turn-log.ts'

interface Turn {
  readonly records: LogRecord[]
  readonly bell: Bell
  readonly stopListeners: Set<() => void>
  epoch: number
  leasedUntil: number
  stopWished: boolean
  endedAt: number | undefined
}

export function memoryTurnLog({ clock }: { readonly clock: Clock }): TurnLog {
  const turns = new Map<string, Turn>()
  const openings = new Topics<TurnStart>()

  const owned = (turnId: string, epoch: number): Turn | undefined => {
    const turn = turns.get(turnId)
    return turn !== undefined && turn.endedAt === undefined && turn.epoch === epoch ? turn : undefined
  }
  const isOrphan = (turn: Turn) => turn.endedAt === undefined && turn.leasedUntil <= clock.now()

  return {
    async open(start, leaseMs) {
      if (turns.has(start.turnId)) return false
      turns.set(start.turnId, {
        records: [{ seq: 0, epoch: 1, kind: 'start', start }],
        bell: new Bell(),
        stopListeners: new Set(),
        epoch: 1,
        leasedUntil: clock.now() + leaseMs,
        stopWished: false,
        endedAt: undefined,
      })
      openings.publish(start.sessionId, start)
      return true
    },
    async append(turnId, epoch, entries) {
      const turn = owned(turnId, epoch)
      if (turn === undefined) return false
      for (const entry of entries) turn.records.push({ ...entry, seq: turn.records.length, epoch })
      if (entries.some(({ kind }) => kind === 'turn-end')) turn.endedAt = clock.now()
      turn.bell.ring()
      return true
    },
    async read(turnId, afterSeq) {
      return turns.get(turnId)?.records.slice(afterSeq + 1)
    },
    follow(turnId, afterSeq, signal) {
      return followed(turns.get(turnId), afterSeq, signal)
    },
    followSession(sessionId, signal) {
      return openings.subscribe(sessionId, signal)
    },
    async renew(turnId, epoch, leaseMs) {
      const turn = owned(turnId, epoch)
      if (turn === undefined) return false
      turn.leasedUntil = clock.now() + leaseMs
      return true
    },
    async takeOver(turnId, leaseMs) {
      const turn = turns.get(turnId)
      if (turn === undefined || !isOrphan(turn)) return undefined
      turn.epoch += 1
      turn.leasedUntil = clock.now() + leaseMs
      return turn.epoch
    },
    async orphans(limit) {
      const lapsed = [...turns].filter(([, turn]) => isOrphan(turn))
      return lapsed
        .sort(([, a], [, b]) => a.leasedUntil - b.leasedUntil)
        .slice(0, limit)
        .map(([turnId]) => turnId)
    },
    async requestStop(turnId) {
      const turn = turns.get(turnId)
      if (turn === undefined || turn.endedAt !== undefined || turn.stopWished) return
      turn.stopWished = true
      for (const listener of turn.stopListeners) listener()
      turn.stopListeners.clear()
    },
    onStop(turnId, listener) {
      const turn = turns.get(turnId)
      return turn === undefined || turn.endedAt !== undefined ? NO_LISTENER : listening(turn, listener)
    },
    async forgetSession(sessionId) {
      const over = [...turns].filter(([, turn]) => turn.endedAt !== undefined && sessionOf(turn) === sessionId)
      for (const [turnId] of over) turns.delete(turnId)
      return over.map(([turnId]) => turnId)
    },
    async sweep(endedBefore, limit) {
      const over = [...turns]
        .filter(([, { endedAt }]) => endedAt !== undefined && endedAt < endedBefore)
        .slice(0, limit)
      for (const [turnId] of over) turns.delete(turnId)
      return over.length
    },
  }
}

function sessionOf(turn: Turn): string | undefined {
  const first = turn.records[0]
  return first?.kind === 'start' ? first.start.sessionId : undefined
}

const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }

function listening(turn: Turn, listener: () => void): Disposable {
  // Its own function, so that one listener registered twice is two registrations.
  const once = () => {
    if (turn.stopListeners.delete(once)) listener()
  }
  turn.stopListeners.add(once)
  // Not before this call returned: the listener may use what it is assigned to.
  if (turn.stopWished) queueMicrotask(once)
  return { [Symbol.dispose]: () => void turn.stopListeners.delete(once) }
}

async function* followed(
  turn: Turn | undefined,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  if (turn === undefined) return
  let next = afterSeq + 1
  while (!signal.aborted) {
    const batch = turn.records.slice(next)
    if (batch.length > 0) {
      next += batch.length
      yield batch
    } else if (turn.endedAt !== undefined) {
      return
    } else {
      await turn.bell.heard(signal)
    }
  }
}
