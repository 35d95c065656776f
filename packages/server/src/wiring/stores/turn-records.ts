// Opens the store of turn records.
import { memoryTurnRecords } from '#adapters/memory/turn-records.ts'
import { sqliteTurnRecords } from '#adapters/sqlite/turn-records/turn-records.ts'
import type { StoreTable } from './store-parts.ts'

export const turnRecordStores: StoreTable<'turnRecords'> = {
  sqlite: async ({ clock, database }) => sqliteTurnRecords({ database, clock }),
  redis: async ({ clock }) => memoryTurnRecords({ clock }),
}
