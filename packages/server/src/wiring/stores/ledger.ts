// Opens the ledger.
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import { sqliteLedger } from '#adapters/sqlite/ledger/ledger.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const ledgers: StoreTable<'ledger'> = {
  sqlite: async ({ clock, database }) => sqliteLedger({ database, clock }),
  async redis(parts) {
    const { redisLedger } = await import('#adapters/redis/ledger/ledger.ts')
    return redisLedger({ redis: redisOf(parts), clock: parts.clock })
  },
  async dynamodb({ dynamo }) {
    const { dynamoLedger } = await import('#adapters/aws/dynamodb/ledger/ledger.ts')
    return dynamoLedger({ dynamo: await dynamo.open(ledgerTable) })
  },
}
