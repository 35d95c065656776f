// Opens the store of turn records.
import { memoryTurnRecords } from '#adapters/memory/turn-records.ts'
import type { StoreTable } from './store-parts.ts'

export const turnRecordStores: StoreTable<'turnRecords'> = {
  sqlite: async ({ clock }) => memoryTurnRecords({ clock }),
  redis: async ({ clock }) => memoryTurnRecords({ clock }),
}
