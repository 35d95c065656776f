// The model history of one machine: a row for each entry of a step. One process writes, so the id of its last batch tells a repeat.
import type { Clock } from '#ports/clock/port.ts'
import { entriesOf, FIRST_KEPT, stepOf } from '#ports/model-history/history-entries.ts'
import type { HistoryEntry } from '#ports/model-history/history-entries.ts'
import { HISTORY_ENTRIES_MAX, HISTORY_KEEP_MS } from '#ports/model-history/port.ts'
import type { ModelHistory } from '#ports/model-history/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteModelHistoryOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
}

const SWEEP = 'DELETE FROM model_history WHERE at < ?'
const LAST_BATCH = 'SELECT batch FROM model_history_batches WHERE at = ?'
const SET_BATCH =
  'INSERT INTO model_history_batches (at, batch) VALUES (?, ?) ON CONFLICT (at) DO UPDATE SET batch = excluded.batch'
const SWEEP_BATCHES = 'DELETE FROM model_history_batches WHERE at < ?'
const SIZE = 'SELECT count(*) AS size FROM model_history WHERE at = ?'
const UPDATE =
  'UPDATE model_history SET count = count + ?, text = CASE WHEN ? THEN text ELSE ? END WHERE at = ? AND key = ?'
const INSERT = 'INSERT INTO model_history (at, key, count, text) VALUES (?, ?, ?, ?)'
const READ = 'SELECT at, key, count, text FROM model_history WHERE at >= ? AND at < ? ORDER BY at, key'

export function sqliteModelHistory({ clock, database }: SqliteModelHistoryOptions): ModelHistory {
  function write(at: number, entries: readonly HistoryEntry[]): void {
    let size = Number(database.statement(SIZE).get(at)?.['size'])
    for (const { count, key, text } of entries) {
      const isKept = key.startsWith(FIRST_KEPT) ? 1 : 0
      const { changes } = database.statement(UPDATE).run(count, isKept, text, at, key)
      if (Number(changes) > 0 || size >= HISTORY_ENTRIES_MAX) continue
      database.statement(INSERT).run(at, key, count, text)
      size += 1
    }
  }

  return {
    add: ({ id, ...step }) =>
      database.write(() => {
        const before = clock.now() - HISTORY_KEEP_MS
        database.statement(SWEEP).run(before)
        database.statement(SWEEP_BATCHES).run(before)
        if (database.statement(LAST_BATCH).get(step.at)?.['batch'] === id) return
        database.statement(SET_BATCH).run(step.at, id)
        write(step.at, entriesOf(step))
      }),
    async read(from, to) {
      const rows = database.statement(READ).all(from, to)
      const byStep = Map.groupBy(rows, ({ at }) => Number(at))
      return [...byStep].map(([at, of]) =>
        stepOf(
          at,
          of.map(({ count, key, text }) => ({ key: String(key), count: Number(count), text: String(text) })),
        ),
      )
    },
  }
}
