// Turn records in SQLite: what never changes of a record as JSON, and columns for what can be asked for or changes. `seek.ts` finds
// records by any filter.
import { createHash } from 'node:crypto'
import { withFeedback, withNoted } from '#domain/turn-records/reception.ts'
import { costOf, experimentsOf, idOf, isRefusal, isTurn, totalMsOf } from '#domain/turn-records/records-filter.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, NOTED_MAX, RECORDS_ADOPTED_MAX, UNIT_KEPT_MS } from '#ports/turn-records/port.ts'
import type {
  Noted,
  Received,
  RecordPosition,
  RecordsBounds,
  RecordsFilter,
  RefusalRecord,
  StoredRecord,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'
import type { Database } from '../files/database.ts'
import { createSeek } from './seek.ts'
import { TraitsBook } from './traits-book.ts'

export interface SqliteTurnRecordsOptions {
  readonly database: Pick<Database, 'statement' | 'write' | 'onGroupEnd'>
  readonly clock: Clock
}

type Row = Record<string, unknown>

const PAGE_RECORDS = 200
const INSERT = `INSERT INTO turn_records
  (turn_id, session_id, principal_id, at, feedback, received, facts, request_id, is_refusal, traits, cost, total_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const EXPOSE = `INSERT INTO turn_record_exposures (experiment, at, turn_id, traits, cost, total_ms)
  VALUES (?, ?, ?, ?, ?, ?)`
const FORGOTTEN = `SELECT 1 FROM turn_records_forgotten
  WHERE (whose = ? AND at > ?) OR (whose = ? AND at > ? AND at >= ?) LIMIT 1`
const NOTE_LATER = `INSERT INTO turn_record_notes (turn_id, expires_at, noted) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, noted = excluded.noted`
const ONLY_NEWEST_NOTES = `DELETE FROM turn_record_notes WHERE turn_id IN
  (SELECT turn_id FROM turn_record_notes ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`
const SET_UNIT = `INSERT INTO turn_record_units (principal_id, unit, expires_at) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET unit = excluded.unit, expires_at = excluded.expires_at WHERE expires_at <= ?`
const RENAME = `UPDATE turn_records SET principal_id = ? WHERE turn_id IN
  (SELECT turn_id FROM turn_records WHERE principal_id = ? ORDER BY at DESC, turn_id DESC LIMIT ?)`
const REMOVE_BEFORE = `DELETE FROM turn_records WHERE turn_id IN
  (SELECT turn_id FROM turn_records WHERE at < ? ORDER BY at, turn_id LIMIT ?)`
const REMOVE_TURNS = `DELETE FROM turn_records WHERE turn_id IN
  (SELECT turn_id FROM turn_records WHERE is_refusal = 0 ORDER BY at, turn_id LIMIT ?)`
const REMOVE_REFUSALS = `DELETE FROM turn_records WHERE turn_id IN
  (SELECT turn_id FROM turn_records INDEXED BY turn_records_refused WHERE is_refusal = 1 ORDER BY at, turn_id LIMIT ?)`
const REFUSALS = 'SELECT count(*) AS rows FROM turn_records INDEXED BY turn_records_refused WHERE is_refusal = 1'
/** Not less than the number of rows, and found without counting them. */
const AT_MOST = `SELECT coalesce((SELECT max(rowid) FROM turn_records) - (SELECT min(rowid) FROM turn_records) + 1, 0) AS rows`

export function sqliteTurnRecords({ clock, database }: SqliteTurnRecordsOptions): TurnRecords {
  const sql = (text: string) => database.statement(text)
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))
  const book = new TraitsBook(sql)
  database.onGroupEnd((end) => {
    if (end === 'undone') book.forget()
  })
  const seek = createSeek({ sql, book, pause })

  function read(id: string): StoredRecord | undefined {
    const row: Row | undefined = sql('SELECT * FROM turn_records WHERE turn_id = ?').get(id)
    return row === undefined ? undefined : toRecord(row)
  }

  function find(turnId: string): TurnRecord | undefined {
    const record = read(turnId)
    return record !== undefined && isTurn(record) ? record : undefined
  }

  function isForgotten({ at, principalId, sessionId }: StoredRecord): boolean {
    const since = clock.now() - LATE_MS
    return sql(FORGOTTEN).get(nameOf({ sessionId }), since, nameOf({ principalId }), since, at) !== undefined
  }

  function notedOf(turnId: string): Noted {
    const select = 'SELECT noted FROM turn_record_notes WHERE turn_id = ? AND expires_at > ?'
    const row: Row | undefined = sql(select).get(turnId, clock.now())
    return row === undefined ? {} : (JSON.parse(String(row['noted'])) as Noted)
  }

  function addOne(record: StoredRecord): void {
    if (isForgotten(record)) return
    const [id, traits, { received, texts }] = [idOf(record), book.numberOf(record), storedOf(record)]
    const whose = [id, record.sessionId, record.principalId, record.at, received.feedback?.value ?? null] as const
    const figures = [traits, costOf(record), totalMsOf(record)] as const
    const asked = [record.requestId ?? null, isRefusal(record) ? 1 : 0, ...figures] as const
    if (sql(INSERT).run(...whose, ...texts, ...asked).changes === 0) return
    for (const experiment of experimentsOf(record)) sql(EXPOSE).run(experiment, record.at, id, ...figures)
    sql('DELETE FROM turn_record_notes WHERE turn_id = ?').run(id)
  }

  /** What was noted before the record came, and the texts of the record. */
  function storedOf(record: StoredRecord): { readonly received: Received; readonly texts: readonly [string, string] } {
    if (isRefusal(record)) {
      const { at: _, principalId: __, refusalId: ___, sessionId: ____, ...facts } = record
      return { received: {}, texts: ['{}', JSON.stringify(facts)] }
    }
    const { at: _, principalId: __, received: own, sessionId: ___, turnId, ...facts } = record
    const received = withNoted(own, notedOf(turnId))
    return { received, texts: [JSON.stringify(received), JSON.stringify(facts)] }
  }

  function receive(turnId: string, received: Received): void {
    const update = 'UPDATE turn_records SET received = ?, feedback = ? WHERE turn_id = ?'
    sql(update).run(JSON.stringify(received), received.feedback?.value ?? null, turnId)
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const positions = await seek({ filter, limit, after, turnsOnly: true })
    return positions.flatMap(({ turnId }) => find(turnId) ?? [])
  }

  /** Rows that only wait for a time; few, so that they are removed with any batch. */
  function sweepOthers(): void {
    const now = clock.now()
    sql('DELETE FROM turn_record_notes WHERE expires_at <= ?').run(now)
    sql('DELETE FROM turn_record_units WHERE expires_at <= ?').run(now)
    sql('DELETE FROM turn_records_forgotten WHERE at <= ?').run(now - LATE_MS)
    book.sweep()
  }

  const rowsOf = (count: string): number => Number(sql(count).get()?.['rows'])

  function removeExcess({ countMax, refusalsMax }: RecordsBounds, limit: number): number {
    const refusals = rowsOf(REFUSALS)
    const refused = Math.min(refusals - refusalsMax, limit)
    const removed = refused <= 0 ? 0 : Number(sql(REMOVE_REFUSALS).run(refused).changes)
    if (rowsOf(AT_MOST) <= countMax) return removed
    const turns = rowsOf('SELECT count(*) AS rows FROM turn_records') - (refusals - removed)
    const excess = Math.min(turns - countMax, limit - removed)
    return excess <= 0 ? removed : removed + Number(sql(REMOVE_TURNS).run(excess).changes)
  }

  return {
    async add(records) {
      if (records.length === 0) return
      await database.write(() => {
        try {
          records.forEach(addOne)
        } catch (error) {
          // Undone: numbers that it gave are not stored.
          book.forget()
          throw error
        }
      })
    },
    find: async (turnId) => find(turnId),
    page,
    async list(filter, limit, after) {
      const positions = await seek({ filter, limit: limit + 1, after, turnsOnly: false })
      const records = positions.slice(0, limit).flatMap(({ turnId }) => read(turnId) ?? [])
      const last = positions.length > limit ? positions[limit - 1] : undefined
      return { records, ...(last === undefined ? {} : { next: last }) }
    },
    all: (filter) => eachOfPages<TurnRecord>(PAGE_RECORDS, (limit, after) => page(filter, limit, after), pause),
    setFeedback: (turnId, feedback) =>
      database.write(() => {
        const record = find(turnId)
        if (record !== undefined) receive(turnId, withFeedback(record.received, feedback))
        return record !== undefined
      }),
    note: (turnId, noted) =>
      database.write(() => {
        const record = find(turnId)
        if (record !== undefined) return receive(turnId, withNoted(record.received, noted))
        const all = JSON.stringify(withNoted(notedOf(turnId), noted))
        sql(NOTE_LATER).run(turnId, clock.now() + LATE_MS, all)
        sql(ONLY_NEWEST_NOTES).run(NOTED_MAX)
      }),
    async unitOf(principalId) {
      const select = 'SELECT unit FROM turn_record_units WHERE principal_id = ? AND expires_at > ?'
      const row: Row | undefined = sql(select).get(principalId, clock.now())
      return row === undefined ? principalId : String(row['unit'])
    },
    adopt: (guestId, userId) =>
      database.write(() => {
        const now = clock.now()
        const own = sql('SELECT 1 FROM turn_records WHERE principal_id = ? AND is_refusal = 0 LIMIT 1').get(userId)
        sql(SET_UNIT).run(userId, own === undefined ? guestId : userId, now + UNIT_KEPT_MS, now)
        sql(RENAME).run(userId, guestId, RECORDS_ADOPTED_MAX)
      }),
    forget: (of) =>
      database.write(() => {
        const remember =
          'INSERT INTO turn_records_forgotten (whose, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at'
        sql(remember).run(nameOf(of), clock.now())
        if ('sessionId' in of)
          return Number(sql('DELETE FROM turn_records WHERE session_id = ?').run(of.sessionId).changes)
        sql('DELETE FROM turn_record_units WHERE principal_id = ?').run(of.principalId)
        return Number(sql('DELETE FROM turn_records WHERE principal_id = ?').run(of.principalId).changes)
      }),
    sweep: (bounds, limit) =>
      database.write(() => {
        sweepOthers()
        const removed = Number(sql(REMOVE_BEFORE).run(bounds.before, limit).changes)
        return removed < limit ? removed + removeExcess(bounds, limit - removed) : removed
      }),
  }
}

/** A name that does not tell whose it is: it is stored after an erasure. */
function nameOf(of: Parameters<TurnRecords['forget']>[0]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url')
}

function toRecord(row: Row): StoredRecord {
  const facts = JSON.parse(String(row['facts'])) as Omit<TurnRecord, 'turnId' | 'received'>
  const [id, at] = [String(row['turn_id']), Number(row['at'])]
  const whose = { sessionId: String(row['session_id']), principalId: String(row['principal_id']), at }
  if (Number(row['is_refusal']) === 1) return { ...(facts as unknown as RefusalRecord), ...whose, refusalId: id }
  return { ...facts, ...whose, turnId: id, received: JSON.parse(String(row['received'])) as Received }
}
