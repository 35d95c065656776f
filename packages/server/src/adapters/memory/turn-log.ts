// The turn log in memory: for tests and simulations, and the oracle of the other adapters. Readers pull: each remembers
// only the number of its last record.
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from '#domain/turn/log-trimming.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { Attendance } from '#lib/async/attendance.ts'
import { Bell } from '#lib/async/bell.ts'
import { Topics } from '#lib/async/topics.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { LogBounds, LogEntry, LogRecord, TurnLog } from '#ports/turn-log/port.ts'

interface Turn {
  readonly start: TurnStart
  readonly attendance: Attendance
  readonly bell: Bell
  readonly stopListeners: Set<() => void>
  records: LogRecord[]
  /** The number of records after the start and the snapshot. */
  keptRecords: number
  keptBytes: number
  epoch: number
  leasedUntil: number
  stopRequested: boolean
  endedAt: number | undefined
}

export interface MemoryTurnLogOptions {
  readonly clock: Clock
  readonly bounds?: LogBounds
}

export function memoryTurnLog({ clock, bounds = LOG_BOUNDS }: MemoryTurnLogOptions): TurnLog {
  const turns = new Map<string, Turn>()
  const openings = new Topics<TurnStart>()
  const releases = new Set<() => void>()
  /** When each was noted. */
  const unwritten = new Map<string, number>()

  const owned = (turnId: string, epoch: number): Turn | undefined => {
    const turn = turns.get(turnId)
    return turn !== undefined && turn.endedAt === undefined && turn.epoch === epoch ? turn : undefined
  }
  const isOrphan = (turn: Turn) => turn.endedAt === undefined && turn.leasedUntil <= clock.now()

  return {
    async open(start, leaseMs) {
      if (turns.has(start.turnId)) return false
      turns.set(start.turnId, {
        start,
        attendance: new Attendance(clock.now),
        records: [{ seq: 0, epoch: 1, kind: 'start', start }],
        keptRecords: 0,
        keptBytes: 0,
        bell: new Bell(),
        stopListeners: new Set(),
        epoch: 1,
        leasedUntil: clock.now() + leaseMs,
        stopRequested: false,
        endedAt: undefined,
      })
      openings.publish(start.sessionId, start)
      return true
    },
    async append(turnId, epoch, entries) {
      const turn = owned(turnId, epoch)
      if (turn === undefined) return false
      write(turn, entries)
      if (turn.keptRecords > bounds.recordsMax || turn.keptBytes > bounds.bytesMax) trim(turn, bounds)
      if (entries.some(({ kind }) => kind === 'turn-end')) turn.endedAt = clock.now()
      turn.bell.ring()
      return true
    },
    async start(turnId) {
      return turns.get(turnId)?.start
    },
    async confirm(turnId, epoch) {
      return owned(turnId, epoch) !== undefined
    },
    async read(turnId, afterSeq) {
      const turn = turns.get(turnId)
      return turn === undefined ? undefined : recordsAfter(turn.records, afterSeq)
    },
    follow(turnId, afterSeq, signal) {
      return followed(turns.get(turnId), afterSeq, signal)
    },
    followSession(sessionId, signal) {
      return openings.subscribe(sessionId, signal)
    },
    async renew(turnId, epoch, leaseMs) {
      const turn = owned(turnId, epoch)
      if (turn === undefined) return undefined
      turn.leasedUntil = clock.now() + leaseMs
      return { unattendedMs: turn.attendance.emptyMs() }
    },
    async release(turnId, epoch) {
      const turn = owned(turnId, epoch)
      if (turn === undefined) return
      turn.leasedUntil = clock.now()
      for (const listener of releases) listener()
    },
    onReleased(listener) {
      releases.add(listener)
      return { [Symbol.dispose]: () => void releases.delete(listener) }
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
      if (turn === undefined || turn.endedAt !== undefined || turn.stopRequested) return
      turn.stopRequested = true
      for (const listener of turn.stopListeners) listener()
      turn.stopListeners.clear()
    },
    onStop(turnId, listener) {
      const turn = turns.get(turnId)
      return turn === undefined || turn.endedAt !== undefined ? NO_LISTENER : listening(turn, listener)
    },
    async forgetSession(sessionId) {
      const over = [...turns].filter(([, turn]) => turn.endedAt !== undefined && turn.start.sessionId === sessionId)
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
    async noteUnwritten(turnId) {
      if (!unwritten.has(turnId)) unwritten.set(turnId, clock.now())
    },
    async unwritten(olderThanMs, limit) {
      const before = clock.now() - olderThanMs
      return [...unwritten]
        .filter(([, at]) => at <= before)
        .slice(0, limit)
        .map(([turnId]) => turnId)
    },
    async written(turnId) {
      unwritten.delete(turnId)
    },
  }
}

function write(turn: Turn, entries: readonly LogEntry[]): void {
  for (const entry of entries) {
    const record: LogRecord = { ...entry, seq: lastSeqOf(turn.records) + 1, epoch: turn.epoch }
    turn.records.push(record)
    turn.keptRecords += 1
    turn.keptBytes += recordBytes(record)
  }
}

function trim(turn: Turn, bounds: LogBounds): void {
  const snapshot = snapshotFor(turn.records, bounds)
  if (snapshot === undefined) return
  turn.records = [...withSnapshot(turn.records, snapshot)]
  const kept = recordsAfter(turn.records, snapshot.seq)
  turn.keptRecords = kept.length
  turn.keptBytes = kept.reduce((sum, record) => sum + recordBytes(record), 0)
}

function lastSeqOf(records: readonly LogRecord[]): number {
  return records.at(-1)?.seq ?? -1
}

const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }

function listening(turn: Turn, listener: () => void): Disposable {
  // A function of its own, so that a listener registered twice counts as two registrations.
  const once = () => {
    if (turn.stopListeners.delete(once)) listener()
  }
  turn.stopListeners.add(once)
  // After this call returns, because the listener may use the value it is assigned to.
  if (turn.stopRequested) queueMicrotask(once)
  return { [Symbol.dispose]: () => void turn.stopListeners.delete(once) }
}

async function* followed(
  turn: Turn | undefined,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  if (turn === undefined) return
  using _attendance = turn.attendance.attend(signal)
  using _bell = turn.bell.ringOnAbort(signal)
  let lastSeq = afterSeq
  while (!signal.aborted) {
    const batch = recordsAfter(turn.records, lastSeq)
    if (batch.length > 0) {
      lastSeq = lastSeqOf(batch)
      yield batch
    } else if (turn.endedAt !== undefined) {
      return
    } else {
      await turn.bell.nextRing()
    }
  }
}
