// The tables behind the turn log. Records of open turns are appended to one table, the tail, so that concurrent turns share
// its pages; a turn that ends is written once more, whole, under its id. The tail is cut at its front, up to the first row
// of any open turn. Used inside the transactions of the turn log, and when the log is opened.
import { recordFrom, storedRecord } from '#domain/turn/record-codec.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { LogBounds, LogEntry, LogRecord } from '#ports/turn-log/port.ts'
import type { Database } from '../files/database.ts'
import { boundedBytes, KeptRecords } from './kept-records.ts'

/** A cut removes at most this many rows: more than a turn has, so one cut at each turn's end keeps up. */
const CUT_ROWS_MAX = 2000

/** A record as it is stored: its number follows from its position, its epoch is the row's. */
export type TailEntry = LogEntry | { readonly kind: 'start'; readonly start: TurnStart }

/** An open turn as it is stored. */
export interface StoredTurn {
  readonly turnId: string
  readonly kept: KeptRecords
  readonly epoch: number
  readonly tailFrom: number
  readonly isStopRequested: boolean
}

export class TurnTail {
  readonly #database: Database
  #nextId: number
  /** The first existing row. A cut that was rolled back leaves rows before it for the next cut. */
  #firstId: number

  constructor(database: Database) {
    this.#database = database
    // A rewritten turn may expect rows after the last existing one.
    const edges = `SELECT (SELECT min(id) FROM turn_tail) AS first, (SELECT max(id) FROM turn_tail) AS last,
      (SELECT max(tail_from) FROM turns WHERE ended_at IS NULL) AS awaited`
    const row = database.statement(edges).get()
    this.#nextId = Math.max(Number(row?.['last'] ?? 0) + 1, Number(row?.['awaited'] ?? 0))
    this.#firstId = Number(row?.['first'] ?? this.#nextId)
  }

  /** The number of the row that comes next. */
  get nextId(): number {
    return this.#nextId
  }

  /** `json` is an array of entries. */
  append(turnId: string, epoch: number, json: string): void {
    const insert = 'INSERT INTO turn_tail (id, turn_id, epoch, entries) VALUES (?, ?, ?, ?)'
    this.#database.statement(insert).run(this.#nextId, turnId, epoch, json)
    this.#nextId += 1
  }

  /** Writes a turn's whole log under its id, replacing an earlier one. */
  writeWhole(turnId: string, records: readonly LogRecord[]): void {
    const put = 'INSERT OR REPLACE INTO turn_logs (turn_id, records) VALUES (?, ?)'
    this.#database.statement(put).run(turnId, JSON.stringify(records.map(storedRecord)))
  }

  readWhole(turnId: string): readonly LogRecord[] | undefined {
    const row = this.#database.statement('SELECT records FROM turn_logs WHERE turn_id = ?').get(turnId)
    return row === undefined ? undefined : (JSON.parse(String(row['records'])) as LogRecord[]).map(recordFrom)
  }

  /** Deletes the oldest rows with a number below `id`. */
  cutBefore(id: number): void {
    const cutTo = Math.min(id, this.#firstId + CUT_ROWS_MAX)
    if (cutTo <= this.#firstId) return
    this.#database.statement('DELETE FROM turn_tail WHERE id < ?').run(cutTo)
    this.#firstId = cutTo
  }

  /** Reads every open turn, longest open first, in one pass over the tail. */
  load(bounds: LogBounds): readonly StoredTurn[] {
    const open = 'SELECT id, epoch, stop_wished, tail_from FROM turns WHERE ended_at IS NULL ORDER BY tail_from'
    const turns = this.#database
      .statement(open)
      .all()
      .map((row): StoredTurn => {
        const turnId = String(row['id'])
        return {
          turnId,
          kept: new KeptRecords(bounds, this.readWhole(turnId)),
          epoch: Number(row['epoch']),
          tailFrom: Number(row['tail_from']),
          isStopRequested: Number(row['stop_wished']) === 1,
        }
      })
    const byId = new Map(turns.map((turn) => [turn.turnId, turn]))
    for (const row of this.#database
      .statement('SELECT id, turn_id, epoch, entries FROM turn_tail ORDER BY id')
      .iterate()) {
      const turn = byId.get(String(row['turn_id']))
      if (turn === undefined || Number(row['id']) < turn.tailFrom) continue
      const entries = (JSON.parse(String(row['entries'])) as TailEntry[]).map(recordFrom)
      const records = numbered(entries, turn.kept.lastSeq + 1, Number(row['epoch']))
      turn.kept.add({ records, bytes: boundedBytes(records) })
    }
    return turns
  }
}

export function numbered(entries: readonly TailEntry[], firstSeq: number, epoch: number): readonly LogRecord[] {
  return entries.map((entry, index) => ({ ...entry, seq: firstSeq + index, epoch }))
}
