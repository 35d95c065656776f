// What the token counters have learned, in SQLite, one row for each key: a restart keeps it.
import { merge } from '#domain/estimator/calibration.ts'
import type { Calibration } from '#domain/estimator/calibration.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Database } from '../files/database.ts'

const SELECT = 'SELECT calibration FROM calibrations WHERE key = ?'
const UPSERT = 'INSERT OR REPLACE INTO calibrations (key, calibration) VALUES (?, ?)'

export function sqliteEstimatorStore({ database }: { readonly database: Database }): EstimatorStore {
  function known(key: string): Calibration | undefined {
    const row = database.statement(SELECT).get(key)
    return row === undefined ? undefined : (JSON.parse(String(row['calibration'])) as Calibration)
  }

  return {
    load: async (key) => known(key),
    merge: (key, learnt) =>
      database.write(() => {
        const before = known(key)
        const sum = before === undefined ? learnt : merge(before, learnt)
        database.statement(UPSERT).run(key, JSON.stringify(sum))
        return sum
      }),
  }
}
