// Turn records in the data folder of a test's terminal, as a server would have left them.
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteTurnRecords } from '#adapters/sqlite/turn-records/turn-records.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import type { TurnRecord } from '#ports/turn-records/port.ts'
import type { FakeTerminal } from './fake-terminal.ts'

export async function storeRecords({ env }: FakeTerminal, records: readonly TurnRecord[]): Promise<void> {
  using dataDir = openDataDir({ path: env['DATA_DIR'] ?? '', random: systemRandom() })
  const clock = systemClock()
  const database = openDatabase({ path: dataDir.databasePath, clock, sync: 'aside' })
  await sqliteTurnRecords({ database, clock }).add(records)
  database.close()
}
