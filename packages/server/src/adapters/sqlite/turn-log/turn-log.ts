// The turn log in SQLite. Only this process writes, so open turns and their owners are in memory: readers never query, and
// a lease needs no disk. When the log is opened, every open turn has no owner, because the lock on the data directory
// proves that earlier processes are dead. Ended turns are read from the file.
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { recordsAfter } from '#domain/turn/log-trimming.ts'
import { storedRecord } from '#domain/turn/record-codec.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { Attendance } from '#lib/async/attendance.ts'
import { Topics } from '#lib/async/topics.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lease, LogBounds, LogEntry, LogRecord, TurnLog } from '#ports/turn-log/port.ts'
import type { Database, GroupEnd } from '../files/database.ts'
import { FailingFile } from './failing-file.ts'
import { HotTurn } from './hot-turn.ts'
import { KeptRecords, startOf } from './kept-records.ts'
import { numbered, TurnTail } from './turn-tail.ts'
import type { StoredTurn } from './turn-tail.ts'

/** Some tens of megabytes. A turn that makes the tail longer than this is rewritten as a whole. */
const TAIL_ROWS_MAX = 250_000
const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }

export interface SqliteTurnLogOptions {
  readonly database: Database
  readonly clock: Clock
  readonly bounds?: LogBounds
  readonly tailRowsMax?: number
}

export function sqliteTurnLog(options: SqliteTurnLogOptions): TurnLog {
  return new SqliteTurnLog(options)
}

class SqliteTurnLog implements TurnLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #bounds: LogBounds
  readonly #tailRowsMax: number
  readonly #tail: TurnTail
  readonly #open = new Map<string, HotTurn>()
  /** The turns that the group in flight has changed. */
  readonly #changed = new Set<HotTurn>()
  readonly #openings = new Topics<TurnStart>()
  readonly #releases = new Set<() => void>()
  readonly #failing: FailingFile

  constructor({ database, clock, bounds = LOG_BOUNDS, tailRowsMax = TAIL_ROWS_MAX }: SqliteTurnLogOptions) {
    this.#database = database
    this.#clock = clock
    this.#bounds = bounds
    this.#tailRowsMax = tailRowsMax
    this.#tail = new TurnTail(database)
    for (const stored of this.#tail.load(bounds)) this.#open.set(stored.turnId, this.#orphan(stored))
    database.onGroupEnd((end) => this.#groupEnded(end))
    this.#failing = new FailingFile({ clock, database }, () => {
      for (const turn of this.#open.values()) turn.wake()
    })
  }

  async open(start: TurnStart, leaseMs: number): Promise<boolean> {
    const entries = [{ kind: 'start', start }] as const
    const json = JSON.stringify(entries.map(storedRecord))
    const isNew = await this.#write(() => {
      const insert = 'INSERT INTO turns (id, session_id, epoch, tail_from) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING'
      const tailFrom = this.#tail.nextId
      if (this.#run(insert, start.turnId, start.sessionId, tailFrom) === 0) return false
      this.#tail.append(start.turnId, 1, json)
      const turn = new HotTurn({
        turnId: start.turnId,
        kept: new KeptRecords(this.#bounds),
        attendance: new Attendance(this.#clock.now),
        epoch: 1,
        leasedUntil: this.#clock.now() + leaseMs,
        tailFrom,
        isStopRequested: false,
      })
      this.#open.set(start.turnId, turn)
      turn.add({ records: numbered(entries, 0, 1), bytes: 0 })
      this.#changed.add(turn)
      return true
    })
    if (isNew) this.#openings.publish(start.sessionId, start)
    return isNew
  }

  append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean> {
    const json = JSON.stringify(entries)
    return this.#write(() => {
      const turn = this.#open.get(turnId)
      if (turn?.isOwnedBy(epoch) !== true) return false
      if (entries.length === 0) return true
      const records = numbered(entries, turn.nextSeq, epoch)
      turn.add({ records, bytes: bytesOf(json, records.length, epoch) })
      this.#changed.add(turn)
      if (turn.isEnded) this.#end(turn)
      else this.#tail.append(turnId, epoch, json)
      return true
    })
  }

  async confirm(turnId: string, epoch: number): Promise<boolean> {
    const owned = 'SELECT 1 FROM turns WHERE id = ? AND epoch = ? AND ended_at IS NULL'
    return this.#database.statement(owned).get(turnId, epoch) !== undefined
  }

  async start(turnId: string): Promise<TurnStart | undefined> {
    const hot = this.#hotTurn(turnId)
    return hot === undefined ? startOf(this.#tail.readWhole(turnId) ?? []) : hot.start
  }

  async read(turnId: string, afterSeq: number): Promise<readonly LogRecord[] | undefined> {
    return this.#hotTurn(turnId)?.after(afterSeq) ?? this.#endedRecords(turnId, afterSeq)
  }

  follow(turnId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<readonly LogRecord[]> {
    const running = this.#hotTurn(turnId)?.follow(afterSeq, signal, this.#failing.check)
    return running ?? this.#followEnded(turnId, afterSeq, signal)
  }

  followSession(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart> {
    return this.#openings.subscribe(sessionId, signal)
  }

  async renew(turnId: string, epoch: number, leaseMs: number): Promise<Lease | undefined> {
    const hot = this.#hotTurn(turnId)
    if (hot?.isOwnedBy(epoch) !== true) return undefined
    hot.renew(this.#clock.now() + leaseMs)
    return { unattendedMs: hot.unattendedMs }
  }

  async release(turnId: string, epoch: number): Promise<void> {
    const hot = this.#hotTurn(turnId)
    if (hot?.isOwnedBy(epoch) !== true) return
    hot.renew(this.#clock.now())
    for (const listener of this.#releases) listener()
  }

  onReleased(listener: () => void): Disposable {
    this.#releases.add(listener)
    return { [Symbol.dispose]: () => void this.#releases.delete(listener) }
  }

  takeOver(turnId: string, leaseMs: number): Promise<number | undefined> {
    return this.#write(() => {
      const turn = this.#open.get(turnId)
      if (turn === undefined || !this.#isOrphan(turn)) return undefined
      turn.takeOver(this.#clock.now() + leaseMs)
      this.#changed.add(turn)
      this.#run('UPDATE turns SET epoch = ? WHERE id = ?', turn.epoch, turnId)
      return turn.epoch
    })
  }

  async orphans(limit: number): Promise<readonly string[]> {
    return [...this.#open.values()]
      .filter((turn) => this.#isOrphan(turn))
      .sort((a, b) => a.leasedUntil - b.leasedUntil)
      .slice(0, limit)
      .map(({ turnId }) => turnId)
  }

  async requestStop(turnId: string): Promise<void> {
    const request = 'UPDATE turns SET stop_wished = 1 WHERE id = ? AND ended_at IS NULL AND stop_wished = 0'
    const isFirst = await this.#write(() => this.#run(request, turnId) === 1)
    if (isFirst) this.#hotTurn(turnId)?.stop()
  }

  onStop(turnId: string, listener: () => void): Disposable {
    return this.#hotTurn(turnId)?.onStop(listener) ?? NO_LISTENER
  }

  forgetSession(sessionId: string): Promise<readonly string[]> {
    const forget = 'DELETE FROM turns WHERE session_id = ? AND ended_at IS NOT NULL RETURNING id'
    return this.#write(() =>
      this.#database
        .statement(forget)
        .all(sessionId)
        .map((row) => String(row['id'])),
    )
  }

  sweep(endedBefore: number, limit: number): Promise<number> {
    const over = 'SELECT id FROM turns WHERE ended_at < ? ORDER BY ended_at LIMIT ?'
    return this.#write(() => {
      this.#cutTail()
      return this.#run(`DELETE FROM turns WHERE id IN (${over})`, endedBefore, limit)
    })
  }

  async noteUnwritten(turnId: string): Promise<void> {
    const note = 'INSERT INTO unwritten_turns (turn_id, at) VALUES (?, ?) ON CONFLICT DO NOTHING'
    await this.#write(() => this.#run(note, turnId, this.#clock.now()))
  }

  async unwritten(olderThanMs: number, limit: number): Promise<readonly string[]> {
    const noted = 'SELECT turn_id FROM unwritten_turns WHERE at <= ? ORDER BY at, rowid LIMIT ?'
    const rows = this.#database.statement(noted).all(this.#clock.now() - olderThanMs, limit)
    return rows.map((row) => String(row['turn_id']))
  }

  async written(turnId: string): Promise<void> {
    await this.#write(() => this.#run('DELETE FROM unwritten_turns WHERE turn_id = ?', turnId))
  }

  /** Runs a write that also changes memory; it is `sure`, so it throws only because of the disk. */
  #write<Value>(change: () => Value): Promise<Value> {
    return this.#database.write(change, 'sure')
  }

  #groupEnded(end: GroupEnd): void {
    for (const turn of this.#changed) {
      if (end === 'kept') turn.keep()
      else turn.undo()
      const isOver = turn.isEnded || turn.start === undefined
      // Readers of an ended turn keep a reference to it until they have read it.
      if (isOver && this.#open.get(turn.turnId) === turn) this.#open.delete(turn.turnId)
    }
    this.#changed.clear()
  }

  #end(turn: HotTurn): void {
    this.#run('UPDATE turns SET ended_at = ? WHERE id = ?', this.#clock.now(), turn.turnId)
    this.#tail.writeWhole(turn.turnId, turn.whole().all)
    this.#cutTail()
  }

  #cutTail(): void {
    let oldest: HotTurn | undefined
    for (const turn of this.#open.values()) {
      if (!turn.isEnded && turn.tailFrom < (oldest?.tailFrom ?? Infinity)) oldest = turn
    }
    const { nextId } = this.#tail
    // The rows that a rewrite frees are cut next time: only then is the next oldest turn known.
    const firstNeeded = oldest?.tailFrom ?? nextId
    if (oldest !== undefined && nextId - firstNeeded > this.#tailRowsMax) this.#rewrite(oldest)
    this.#tail.cutBefore(firstNeeded)
  }

  /** Rewrites a turn that has been open for long, so that the tail can be cut. */
  #rewrite(turn: HotTurn): void {
    const { nextId } = this.#tail
    this.#tail.writeWhole(turn.turnId, turn.whole().all)
    this.#run('UPDATE turns SET tail_from = ? WHERE id = ?', nextId, turn.turnId)
    turn.rewritten(nextId)
    this.#changed.add(turn)
  }

  #isOrphan(turn: HotTurn): boolean {
    return !turn.isEnded && turn.leasedUntil <= this.#clock.now()
  }

  /** An open turn whose opening is in the file. */
  #hotTurn(turnId: string): HotTurn | undefined {
    const turn = this.#open.get(turnId)
    return turn?.start === undefined ? undefined : turn
  }

  async *#followEnded(turnId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    const records = signal.aborted ? undefined : this.#endedRecords(turnId, afterSeq)
    if (records !== undefined && records.length > 0) yield records
  }

  #endedRecords(turnId: string, afterSeq: number): readonly LogRecord[] | undefined {
    const records = this.#tail.readWhole(turnId)
    return records === undefined ? undefined : recordsAfter(records, afterSeq)
  }

  /** A turn that an earlier process left open; its readers ended with that process. */
  #orphan(stored: StoredTurn): HotTurn {
    const now = this.#clock.now()
    const unattendedSince = Math.max(now, stored.kept.start?.acceptedAt ?? 0)
    const attendance = new Attendance(this.#clock.now, unattendedSince)
    return new HotTurn({ ...stored, attendance, leasedUntil: now })
  }

  #run(sql: string, ...given: (string | number)[]): number {
    return Number(this.#database.statement(sql).run(...given).changes)
  }
}

/** The bytes that entries count against a log's bounds: the JSON of each with its epoch, without separators. */
function bytesOf(json: string, count: number, epoch: number): number {
  return Buffer.byteLength(json) - '[]'.length - (count - 1) + count * `"epoch":${epoch},`.length
}
