// Turn records in SQLite: what never changes of a record as JSON, and columns for what can be asked for or changes. Statements
// are built from names of columns only, never from values.
import { createHash } from 'node:crypto'
import { withFeedback, withNoted } from '#domain/turn-records/reception.ts'
import { experimentsOf } from '#domain/turn-records/records-filter.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, NOTED_MAX, RECORDS_ADOPTED_MAX, UNIT_KEPT_MS } from '#ports/turn-records/port.ts'
import type {
  Noted,
  Received,
  RecordPosition,
  RecordsFilter,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteTurnRecordsOptions {
  readonly database: Pick<Database, 'statement' | 'write'>
  readonly clock: Clock
}

type Row = Record<string, unknown>

const PAGE_RECORDS = 200
const INSERT = `INSERT INTO turn_records (turn_id, session_id, principal_id, at, feedback, received, facts)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const EXPOSE = 'INSERT INTO turn_record_exposures (experiment, at, turn_id) VALUES (?, ?, ?)'
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
/** Not less than the number of rows, and found without counting them. */
const AT_MOST = `SELECT coalesce((SELECT max(rowid) FROM turn_records) - (SELECT min(rowid) FROM turn_records) + 1, 0) AS rows`

const FILTERS = {
  from: 'at >=',
  to: 'at <',
  sessionId: 'records.session_id =',
  principalId: 'records.principal_id =',
  feedback: 'records.feedback =',
  experiment: 'exposures.experiment =',
} as const satisfies Readonly<Record<keyof RecordsFilter, string>>

export function sqliteTurnRecords({ clock, database }: SqliteTurnRecordsOptions): TurnRecords {
  const sql = (text: string) => database.statement(text)
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))

  function find(turnId: string): TurnRecord | undefined {
    const row: Row | undefined = sql('SELECT * FROM turn_records WHERE turn_id = ?').get(turnId)
    return row === undefined ? undefined : toRecord(row)
  }

  function isForgotten({ at, principalId, sessionId }: TurnRecord): boolean {
    const since = clock.now() - LATE_MS
    return sql(FORGOTTEN).get(nameOf({ sessionId }), since, nameOf({ principalId }), since, at) !== undefined
  }

  function notedOf(turnId: string): Noted {
    const select = 'SELECT noted FROM turn_record_notes WHERE turn_id = ? AND expires_at > ?'
    const row: Row | undefined = sql(select).get(turnId, clock.now())
    return row === undefined ? {} : (JSON.parse(String(row['noted'])) as Noted)
  }

  function addOne(record: TurnRecord): void {
    if (isForgotten(record)) return
    const { at, principalId, received, sessionId, turnId, ...facts } = record
    const all = withNoted(received, notedOf(turnId))
    const texts = [JSON.stringify(all), JSON.stringify(facts)] as const
    const added = sql(INSERT).run(turnId, sessionId, principalId, at, all.feedback?.value ?? null, ...texts)
    if (added.changes === 0) return
    for (const experiment of experimentsOf(record)) sql(EXPOSE).run(experiment, at, turnId)
    sql('DELETE FROM turn_record_notes WHERE turn_id = ?').run(turnId)
  }

  function receive(turnId: string, received: Received): void {
    const update = 'UPDATE turn_records SET received = ?, feedback = ? WHERE turn_id = ?'
    sql(update).run(JSON.stringify(received), received.feedback?.value ?? null, turnId)
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const isExposed = filter.experiment !== undefined
    const from = isExposed
      ? 'turn_record_exposures AS exposures JOIN turn_records AS records USING (turn_id)'
      : 'turn_records AS records'
    const [at, turnId] = isExposed ? ['exposures.at', 'exposures.turn_id'] : ['records.at', 'records.turn_id']
    const named = (Object.keys(FILTERS) as (keyof RecordsFilter)[]).filter((key) => filter[key] !== undefined)
    const conditions = named.map((key) => `${FILTERS[key].replace(/^at/, at)} ?`)
    const given = named.map((key) => filter[key] ?? '')
    if (after !== undefined) conditions.push(`(${at}, ${turnId}) < (?, ?)`)
    const place = after === undefined ? [] : [after.at, after.turnId]
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const select = `SELECT records.* FROM ${from}${where} ORDER BY ${at} DESC, ${turnId} DESC LIMIT ?`
    const rows: Row[] = sql(select).all(...given, ...place, limit)
    return rows.map(toRecord)
  }

  /** Rows that only wait for a time; few, so that they are removed with any batch. */
  function sweepOthers(): void {
    const now = clock.now()
    sql('DELETE FROM turn_record_notes WHERE expires_at <= ?').run(now)
    sql('DELETE FROM turn_record_units WHERE expires_at <= ?').run(now)
    sql('DELETE FROM turn_records_forgotten WHERE at <= ?').run(now - LATE_MS)
  }

  function excessOver(countMax: number): number {
    if (Number(sql(AT_MOST).get()?.['rows']) <= countMax) return 0
    return Number(sql('SELECT count(*) AS rows FROM turn_records').get()?.['rows']) - countMax
  }

  return {
    async add(records) {
      if (records.length > 0) await database.write(() => records.forEach(addOne))
    },
    find: async (turnId) => find(turnId),
    page,
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
        const own = sql('SELECT 1 FROM turn_records WHERE principal_id = ? LIMIT 1').get(userId)
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
    sweep: ({ before, countMax }, limit) =>
      database.write(() => {
        sweepOthers()
        const removed = Number(sql(REMOVE_BEFORE).run(before, limit).changes)
        const excess = Math.min(excessOver(countMax), limit - removed)
        if (excess <= 0) return removed
        return removed + Number(sql(REMOVE_BEFORE).run(Number.MAX_SAFE_INTEGER, excess).changes)
      }),
  }
}

/** A name that does not tell whose it is: it is stored after an erasure. */
function nameOf(of: Parameters<TurnRecords['forget']>[0]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url')
}

function toRecord(row: Row): TurnRecord {
  return {
    ...(JSON.parse(String(row['facts'])) as Omit<
      TurnRecord,
      'turnId' | 'sessionId' | 'principalId' | 'at' | 'received'
    >),
    turnId: String(row['turn_id']),
    sessionId: String(row['session_id']),
    principalId: String(row['principal_id']),
    at: Number(row['at']),
    received: JSON.parse(String(row['received'])) as Received,
  }
}
