// The turn log in SQLite. Open turns are also kept in memory, committed records only, so that the readers of a
// running turn never query; ended turns are read from the file. This process alone writes: opening it lapses every
// lease, because the lock on the data directory proves that every earlier owner is dead.
import { LOG_BOUNDS, recordBytes, recordsAfter, snapshotFor } from '#domain/log-trimming.ts'
import type { SnapshotRecord } from '#domain/log-trimming.ts'
import type { TurnStart } from '#domain/turn-record.ts'
import { Attendance } from '#lib/attendance.ts'
import { Topics } from '#lib/topics.ts'
import type { Clock } from '#ports/clock.ts'
import type { Lease, LogBounds, LogEntry, LogRecord, TurnLog } from '#ports/turn-log.ts'
import type { Database } from './database.ts'
import { HotTurn } from './hot-turn.ts'

/** How many records of an ended turn are read from the file at once. */
const COLD_RECORDS_MAX = 512
const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }

export interface SqliteTurnLogOptions {
  readonly database: Database
  readonly clock: Clock
  readonly bounds?: LogBounds
}

type Row = Readonly<Record<string, unknown>>

interface Append {
  readonly turnId: string
  readonly epoch: number
  readonly entries: readonly LogEntry[]
  /** The entries as JSON of records without a number. */
  readonly written: readonly string[]
  readonly endedAt: number | null
}

/** What an append wrote, and the snapshot if it trimmed the log. */
interface Appended {
  readonly records: readonly LogRecord[]
  readonly snapshot: SnapshotRecord | undefined
}

export async function sqliteTurnLog({ database, clock, bounds = LOG_BOUNDS }: SqliteTurnLogOptions): Promise<TurnLog> {
  const lapse = 'UPDATE turns SET leased_until = ?1 WHERE ended_at IS NULL AND leased_until > ?1'
  await database.write(() => database.statement(lapse).run(clock.now()))
  return new SqliteTurnLog(database, clock, bounds)
}

class SqliteTurnLog implements TurnLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #bounds: LogBounds
  /** Whoever followed a turn before this moment is gone with the process that served it. */
  readonly #madeAt: number
  readonly #hot = new Map<string, HotTurn>()
  readonly #openings = new Topics<TurnStart>()

  constructor(database: Database, clock: Clock, bounds: LogBounds) {
    this.#database = database
    this.#clock = clock
    this.#bounds = bounds
    this.#madeAt = clock.now()
  }

  async open(start: TurnStart, leaseMs: number): Promise<boolean> {
    const record: LogRecord = { seq: 0, epoch: 1, kind: 'start', start }
    const isNew = await this.#database.write(() => {
      const insert = `INSERT INTO turns (id, session_id, epoch, leased_until, records)
        VALUES (?, ?, 1, ?, 1) ON CONFLICT DO NOTHING`
      if (this.#run(insert, start.turnId, start.sessionId, this.#clock.now() + leaseMs) === 0) return false
      this.#insert(start.turnId, 0, JSON.stringify({ epoch: 1, kind: 'start', start }))
      return true
    })
    if (!isNew) return false
    if (!this.#hot.has(start.turnId)) {
      this.#hot.set(start.turnId, new HotTurn([record], false, new Attendance(this.#clock.now)))
    }
    this.#openings.publish(start.sessionId, start)
    return true
  }

  async append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean> {
    const endedAt = entries.some(({ kind }) => kind === 'turn-end') ? this.#clock.now() : null
    const written = entries.map((entry) => JSON.stringify({ epoch, ...entry }))
    const append = { turnId, epoch, entries, written, endedAt }
    const appended = await this.#database.write(() => this.#appendNow(append), 'sure')
    if (appended === undefined) return false
    const hot = this.#hotTurn(turnId)
    // Nobody will look for the turn among the open ones; those who follow it hold on to it until they are through.
    if (endedAt !== null) this.#hot.delete(turnId)
    hot?.add(appended.records, appended.snapshot)
    return true
  }

  async confirm(turnId: string, epoch: number): Promise<boolean> {
    const owned = 'SELECT 1 FROM turns WHERE id = ? AND epoch = ? AND ended_at IS NULL'
    return this.#database.statement(owned).get(turnId, epoch) !== undefined
  }

  async start(turnId: string): Promise<TurnStart | undefined> {
    const hot = this.#hot.get(turnId)
    if (hot !== undefined) return hot.start
    const first = 'SELECT record FROM turn_records WHERE turn_id = ? AND seq = 0'
    const row = this.#database.statement(first).get(turnId)
    return row === undefined ? undefined : startOf([recordOf(row)])
  }

  async read(turnId: string, afterSeq: number): Promise<readonly LogRecord[] | undefined> {
    const hot = this.#hotTurn(turnId)
    if (hot !== undefined) return hot.after(afterSeq)
    const row = this.#database.statement('SELECT 1 FROM turns WHERE id = ?').get(turnId)
    return row === undefined ? undefined : this.#coldRecords(turnId, afterSeq, -1)
  }

  async *follow(turnId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    const hot = this.#hotTurn(turnId)
    if (hot !== undefined) return yield* hot.follow(afterSeq, signal)
    let lastSeq = afterSeq
    while (!signal.aborted) {
      const batch = this.#coldRecords(turnId, lastSeq, COLD_RECORDS_MAX)
      if (batch.length === 0) return
      lastSeq = batch.at(-1)?.seq ?? lastSeq
      yield batch
    }
  }

  followSession(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart> {
    return this.#openings.subscribe(sessionId, signal)
  }

  async renew(turnId: string, epoch: number, leaseMs: number): Promise<Lease | undefined> {
    const lease = 'UPDATE turns SET leased_until = ? WHERE id = ? AND epoch = ? AND ended_at IS NULL'
    const isOwner = await this.#database.write(() => this.#run(lease, this.#clock.now() + leaseMs, turnId, epoch) === 1)
    return isOwner ? { unattendedMs: this.#hotTurn(turnId)?.unattendedMs ?? 0 } : undefined
  }

  takeOver(turnId: string, leaseMs: number): Promise<number | undefined> {
    const take = `UPDATE turns SET epoch = epoch + 1, leased_until = ?
      WHERE id = ? AND ended_at IS NULL AND leased_until <= ? RETURNING epoch`
    return this.#database.write(() => {
      const now = this.#clock.now()
      const row = this.#database.statement(take).get(now + leaseMs, turnId, now)
      return row === undefined ? undefined : Number(row['epoch'])
    })
  }

  async orphans(limit: number): Promise<readonly string[]> {
    const lapsed = 'SELECT id FROM turns WHERE ended_at IS NULL AND leased_until <= ? ORDER BY leased_until LIMIT ?'
    return this.#database
      .statement(lapsed)
      .all(this.#clock.now(), limit)
      .map((row) => String(row['id']))
  }

  async requestStop(turnId: string): Promise<void> {
    const wish = 'UPDATE turns SET stop_wished = 1 WHERE id = ? AND ended_at IS NULL AND stop_wished = 0'
    const isFirst = await this.#database.write(() => this.#run(wish, turnId) === 1)
    if (isFirst) this.#hotTurn(turnId)?.stop()
  }

  onStop(turnId: string, listener: () => void): Disposable {
    return this.#hotTurn(turnId)?.onStop(listener) ?? NO_LISTENER
  }

  forgetSession(sessionId: string): Promise<readonly string[]> {
    const forget = 'DELETE FROM turns WHERE session_id = ? AND ended_at IS NOT NULL RETURNING id'
    return this.#database.write(() =>
      this.#database
        .statement(forget)
        .all(sessionId)
        .map((row) => String(row['id'])),
    )
  }

  sweep(endedBefore: number, limit: number): Promise<number> {
    const over = 'SELECT id FROM turns WHERE ended_at < ? ORDER BY ended_at LIMIT ?'
    return this.#database.write(() => this.#run(`DELETE FROM turns WHERE id IN (${over})`, endedBefore, limit))
  }

  #appendNow({ turnId, epoch, entries, written, endedAt }: Append): Appended | undefined {
    const count = `UPDATE turns SET records = records + ?, kept_bytes = kept_bytes + ?, ended_at = ?
      WHERE id = ? AND epoch = ? AND ended_at IS NULL RETURNING records, kept_bytes, trimmed_to`
    const bytes = written.reduce((sum, json) => sum + Buffer.byteLength(json), 0)
    const row = this.#database.statement(count).get(entries.length, bytes, endedAt, turnId, epoch)
    if (row === undefined) return undefined
    const firstSeq = Number(row['records']) - entries.length
    for (const [index, json] of written.entries()) this.#insert(turnId, firstSeq + index, json)
    const records = entries.map((entry, index) => ({ ...entry, seq: firstSeq + index, epoch }))
    return { records, snapshot: this.#isPastBounds(row) ? this.#trim(turnId) : undefined }
  }

  /** `json` is the record without its number. */
  #insert(turnId: string, seq: number, json: string): void {
    const insert = 'INSERT INTO turn_records (turn_id, seq, record) VALUES (?, ?, ?)'
    this.#run(insert, turnId, seq, `{"seq":${seq},${json.slice(1)}`)
  }

  #isPastBounds(row: Row): boolean {
    const kept = Number(row['records']) - 1 - Number(row['trimmed_to'])
    return kept > this.#bounds.recordsMax || Number(row['kept_bytes']) > this.#bounds.bytesMax
  }

  #trim(turnId: string): SnapshotRecord | undefined {
    const records = this.#coldRecords(turnId, -1, -1)
    const snapshot = snapshotFor(records, this.#bounds)
    if (snapshot === undefined) return undefined
    const { seq, ...unnumbered } = snapshot
    this.#run('DELETE FROM turn_records WHERE turn_id = ? AND seq BETWEEN 1 AND ?', turnId, seq)
    this.#insert(turnId, seq, JSON.stringify(unnumbered))
    const keptBytes = recordsAfter(records, seq).reduce((sum, record) => sum + recordBytes(record), 0)
    this.#run('UPDATE turns SET trimmed_to = ?, kept_bytes = ? WHERE id = ?', seq, keptBytes, turnId)
    return snapshot
  }

  /** The turn in memory, if it is open; one that an earlier process left open is loaded when it is first asked for. */
  #hotTurn(turnId: string): HotTurn | undefined {
    const known = this.#hot.get(turnId)
    if (known !== undefined) return known
    const row = this.#database.statement('SELECT stop_wished FROM turns WHERE id = ? AND ended_at IS NULL').get(turnId)
    if (row === undefined) return undefined
    const records = this.#coldRecords(turnId, -1, -1)
    const unattendedSince = Math.max(this.#madeAt, startOf(records)?.acceptedAt ?? 0)
    const attendance = new Attendance(this.#clock.now, unattendedSince)
    const loaded = new HotTurn(records, Number(row['stop_wished']) === 1, attendance)
    this.#hot.set(turnId, loaded)
    return loaded
  }

  /** `limit` −1 is all of them. */
  #coldRecords(turnId: string, afterSeq: number, limit: number): readonly LogRecord[] {
    const read = 'SELECT record FROM turn_records WHERE turn_id = ? AND seq > ? ORDER BY seq LIMIT ?'
    const rows = this.#database.statement(read).all(turnId, afterSeq, limit)
    return rows.map(recordOf)
  }

  #run(sql: string, ...given: (string | number)[]): number {
    return Number(this.#database.statement(sql).run(...given).changes)
  }
}

function recordOf(row: Row): LogRecord {
  return JSON.parse(String(row['record'])) as LogRecord
}

function startOf([first]: readonly LogRecord[]): TurnStart | undefined {
  return first?.kind === 'start' ? first.start : undefined
}
