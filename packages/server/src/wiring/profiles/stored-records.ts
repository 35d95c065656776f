// Reads the turn records of a DATA_DIR without a server: nothing is locked or written, so a server may be running.
import { existsSync } from 'node:fs'
import { databasePathIn } from '#adapters/sqlite/files/data-dir.ts'
import { openReadOnly } from '#adapters/sqlite/files/read-only.ts'
import { sqliteTurnRecords } from '#adapters/sqlite/turn-records/turn-records.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'

export interface StoredRecords extends Disposable {
  readonly records: Pick<TurnRecords, 'all'>
}

/** Whether they are in DATA_DIR; otherwise they must be read through a server. */
export function areRecordsInFiles(config: Config): boolean {
  return chosenStores(config).turnRecords === 'sqlite'
}

/** Undefined when nothing was served from the folder yet. Throws a DataDirError. */
export function openStoredRecords({ server: { dataDir } }: Config): StoredRecords | undefined {
  if (!existsSync(databasePathIn(dataDir))) return undefined
  const database = openReadOnly(dataDir)
  return {
    records: sqliteTurnRecords({ database, clock: systemClock() }),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}
