// Reads rows of a database for a move. Damage that is only found while reading becomes a DataDirError with the table.
import { DataDirError } from '../files/data-dir-error.ts'
import type { Database } from '../files/database.ts'

export type Row = Record<string, unknown>
type Given = string | number

export interface Rows {
  /** One row after another; each text can be iterated by one reader at a time. */
  each(table: string, sql: string, ...given: Given[]): Iterable<Row>
  all(table: string, sql: string, ...given: Given[]): readonly Row[]
  first(sql: string, ...given: Given[]): Row
  /** The JSON in a column. */
  json(row: Row, column: string): unknown
}

export function storedRows(database: Pick<Database, 'statement'>, path: string): Rows {
  function damaged(where: string, error: unknown): DataDirError {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = 'Restore the folder from a backup, and move that.'
    return new DataDirError(
      path,
      `The database ${path} is damaged: ${where} cannot be read (${reason}). ${advice}`,
      error,
    )
  }

  function read<Value>(where: string, work: () => Value): Value {
    try {
      return work()
    } catch (error) {
      throw error instanceof DataDirError ? error : damaged(where, error)
    }
  }

  return {
    *each(table, sql, ...given) {
      const found = read(table, () => database.statement(sql).iterate(...given))
      for (;;) {
        const next = read(table, () => found.next())
        if (next.done === true) return
        yield next.value
      }
    },
    all: (table, sql, ...given) => read(table, () => database.statement(sql).all(...given)),
    first: (sql, ...given) => read('a table', () => database.statement(sql).get(...given) ?? {}),
    json: (row, column) => read(`column ${column}`, () => JSON.parse(String(row[column])) as unknown),
  }
}
