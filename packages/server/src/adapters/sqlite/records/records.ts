// Records in SQLite: a table for each kind, with a column for each of its fields and the rest as JSON. Statements are built from the
// declaration of the kind, never from values. A change is one write, so its decision is made once.
import type { Clock } from '#ports/clock/port.ts'
import { positionOf, readsOf } from '#ports/records/port.ts'
import type { Fields, FieldValue, Kind, Page, Records, RecordStore } from '#ports/records/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteRecordsOptions {
  readonly database: Pick<Database, 'statement' | 'write'>
  readonly clock: Pick<Clock, 'now'>
}

type Row = Record<string, unknown>

export function sqliteRecords(options: SqliteRecordsOptions): RecordStore {
  return { open: (kind) => recordsOf(kind, options) }
}

export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The value in a row of its kind. `json` is what the column of the JSON has. */
export function valueIn<Value>({ sqlite }: Kind<Value>, { [sqlite.body]: _, ...row }: Row, json: unknown): Value {
  const named = Object.entries(row).map(([name, value]) => [
    name.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase()),
    value,
  ])
  return sqlite.unpack(json, Object.fromEntries(named) as Fields)
}

function recordsOf<Value>(kind: Kind<Value>, { clock, database }: SqliteRecordsOptions): Records<Value> {
  const [table, id, time] = [kind.name, columnOf(kind.id), columnOf(kind.time)]
  const inHome = kind.home === undefined ? '' : `${columnOf(kind.home)} = ? AND `
  const own = (home: string): readonly FieldValue[] => (kind.home === undefined ? [] : [home])
  const sql = (text: string) => database.statement(text)
  const expired = () => clock.now() - kind.keepMs

  function list(home: string, page: Partial<Page>): readonly Value[] {
    const { after, by, is = '', limit = -1, since = -Infinity, skip = 0 } = page
    const asked = by === undefined ? '' : `${columnOf(by)} = ? AND `
    const behind = after === undefined ? '' : ` AND (${time}, ${id}) < (?, ?)`
    const where = `${inHome}${asked}${time} > ?${behind}`
    const given = [...own(home), ...(by === undefined ? [] : [is]), Math.max(since, expired())]
    return sql(`SELECT * FROM ${table} WHERE ${where} ORDER BY ${time} DESC, ${id} DESC LIMIT ? OFFSET ?`)
      .all(...given, ...(after === undefined ? [] : [after.at, after.id]), limit, skip)
      .map((row) => valueIn(kind, row, JSON.parse(String(row[kind.sqlite.body]))))
  }

  function put(value: Value): void {
    const fields = Object.entries({
      ...kind.fields(value),
      [kind.sqlite.body]: JSON.stringify(kind.sqlite.pack(value)),
    })
    const names = fields.map(([field]) => columnOf(field))
    const changed = names.filter((name) => name !== id).map((name) => `${name} = excluded.${name}`)
    const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    sql(`${insert} ON CONFLICT (${id}) DO UPDATE SET ${changed.join(', ')}`).run(...fields.map(([, given]) => given))
  }

  return {
    list: async (home, page) => list(home, page),
    change: (home, reads, decide) =>
      database.write(() => {
        sql(`DELETE FROM ${table} WHERE ${inHome}${time} <= ?`).run(...own(home), expired())
        const found = readsOf(reads, (where) => list(home, where))
        const { put: added = [], remove = [], result } = decide(found, clock.now())
        for (const value of remove)
          sql(`DELETE FROM ${table} WHERE ${inHome}${id} = ?`).run(...own(home), positionOf(kind, value).id)
        for (const value of added) put(value)
        return result
      }),
    sweep(limit) {
      const oldest = `SELECT ${id} FROM ${table} WHERE ${time} <= ? ORDER BY ${time} LIMIT ?`
      const remove = `DELETE FROM ${table} WHERE ${id} IN (${oldest})`
      return database.write(() => Number(sql(remove).run(expired(), limit).changes))
    },
  }
}
