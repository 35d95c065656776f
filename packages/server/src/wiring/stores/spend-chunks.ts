// Opens the store of the daily spending of the whole shop.
import { sqliteSpendChunks } from '#adapters/sqlite/spend-chunks/spend-chunks.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const spendChunkStores: StoreTable<'spendChunks'> = {
  sqlite: ({ clock, config, database }) =>
    sqliteSpendChunks({ database, clock, isLedgerElsewhere: chosenStores(config).ledger !== 'sqlite' }),
  async redis(parts) {
    const { redisSpendChunks } = await import('#adapters/redis/spend-chunks/spend-chunks.ts')
    return redisSpendChunks({ redis: redisOf(parts) })
  },
}
