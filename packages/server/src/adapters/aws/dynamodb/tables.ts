// The tables of the ports that can be stored in DynamoDB, by the names of their settings in `stores`.
import type { TableShape } from './client/table-shape.ts'
import { ledgerTable } from './ledger/table.ts'
import { productsTable } from './product-store/table.ts'
import { sessionsTable } from './session-store/table.ts'
import { turnRecordsTable } from './turn-records/table.ts'

export type StoredTable = 'sessions' | 'ledger' | 'products' | 'turnRecords'

export const TABLES: Readonly<Record<StoredTable, TableShape>> = {
  sessions: sessionsTable,
  ledger: ledgerTable,
  products: productsTable,
  turnRecords: turnRecordsTable,
}
