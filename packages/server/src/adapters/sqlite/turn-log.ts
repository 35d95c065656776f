// The turn log in SQLite. Open turns are also kept in memory, committed records only, so that the readers of a
// running turn never query; ended turns are read from the file. This process alone writes: opening it lapses every
// lease, because the lock on the data directory proves that every earlier owner is dead.
import type { TurnStart } from '#domain/turn-record.ts'
import { Topics } from '#lib/topics.ts'
import type { Clock } from '#ports/clock.ts'
import type { LogEntry, LogRecord, TurnLog } from '#ports/turn-log.ts'
import type { Database } from './database.ts'
import { HotTurn } from './hot-turn.ts'

/** How many records of an ended turn are read from the file at once. */
const COLD_RECORDS_MAX = 512
const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }

export interface SqliteTurnLogOptions {
  readonly database: Database
  readonly clock: Clock
}

export async function sqliteTurnLog({ database, clock }: SqliteTurnLogOptions): Promise<TurnLog> {
  const lapse = 'UPDATE turns SET leased_until = ?1 WHERE ended_at IS NULL AND leased_until > ?1'
  await database.write(() => database.statement(lapse).run(clock.now()))
  return new SqliteTurnLog(database, clock)
}

class SqliteTurnLog implements TurnLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #hot = new Map<string, HotTurn>()
  readonly #openings = new Topics<TurnStart>()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  async open(start: TurnStart, leaseMs: number): Promise<boolean> {
    const record: LogRecord = { seq: 0, epoch: 1, kind: 'start', start }
    const isNew = await this.#database.write(() => {
      const insert = `INSERT INTO turns (id, session_id, epoch, leased_until, records)
        VALUES (?, ?, 1, ?, 1) ON CONFLICT DO NOTHING`
      if (this.#run(insert, start.turnId, start.sessionId, this.#clock.now() + leaseMs) === 0) return false
      this.#insertRecord(start.turnId, record)
      return true
    })
    if (!isNew) return false
    if (!this.#hot.has(start.turnId)) this.#hot.set(start.turnId, new HotTurn([record], false))
    this.#openings.publish(start.sessionId, start)
    return true
  }

  async append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean> {
    const endedAt = entries.some(({ kind }) => kind === 'turn-end') ? this.#clock.now() : null
    const records = await this.#database.write(() => this.#appendNow(turnId, epoch, entries, endedAt))
    if (records === undefined) return false
    const hot = this.#hotTurn(turnId)
    // Nobody will look for the turn among the open ones; those who follow it hold on to it until they are through.
    if (endedAt !== null) this.#hot.delete(turnId)
    hot?.add(records)
    return true
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
      lastSeq += batch.length
      yield batch
    }
  }

  followSession(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart> {
    return this.#openings.subscribe(sessionId, signal)
  }

  renew(turnId: string, epoch: number, leaseMs: number): Promise<boolean> {
    const lease = 'UPDATE turns SET leased_until = ? WHERE id = ? AND epoch = ? AND ended_at IS NULL'
    return this.#database.write(() => this.#run(lease, this.#clock.now() + leaseMs, turnId, epoch) === 1)
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

  #appendNow(
    turnId: string,
    epoch: number,
    entries: readonly LogEntry[],
    endedAt: number | null,
  ): readonly LogRecord[] | undefined {
    const count = `UPDATE turns SET records = records + ?, ended_at = ?
      WHERE id = ? AND epoch = ? AND ended_at IS NULL RETURNING records`
    const row = this.#database.statement(count).get(entries.length, endedAt, turnId, epoch)
    if (row === undefined) return undefined
    const firstSeq = Number(row['records']) - entries.length
    const records = entries.map((entry, index) => ({ ...entry, seq: firstSeq + index, epoch }))
    for (const record of records) this.#insertRecord(turnId, record)
    return records
  }

  #insertRecord(turnId: string, record: LogRecord): void {
    const insert = 'INSERT INTO turn_records (turn_id, seq, record) VALUES (?, ?, ?)'
    this.#run(insert, turnId, record.seq, JSON.stringify(record))
  }

  /** The turn in memory, if it is open; one that an earlier process left open is loaded when it is first asked for. */
  #hotTurn(turnId: string): HotTurn | undefined {
    const known = this.#hot.get(turnId)
    if (known !== undefined) return known
    const row = this.#database.statement('SELECT stop_wished FROM turns WHERE id = ? AND ended_at IS NULL').get(turnId)
    if (row === undefined) return undefined
    const loaded = new HotTurn(this.#coldRecords(turnId, -1, -1), Number(row['stop_wished']) === 1)
    this.#hot.set(turnId, loaded)
    return loaded
  }

  /** `limit` −1 is all of them. */
  #coldRecords(turnId: string, afterSeq: number, limit: number): readonly LogRecord[] {
    const read = 'SELECT record FROM turn_records WHERE turn_id = ? AND seq > ? ORDER BY seq LIMIT ?'
    const rows = this.#database.statement(read).all(turnId, afterSeq, limit)
    return rows.map((row) => JSON.parse(String(row['record'])) as LogRecord)
  }

  #run(sql: string, ...given: (string | number)[]): number {
    return Number(this.#database.statement(sql).run(...given).changes)
  }
}
