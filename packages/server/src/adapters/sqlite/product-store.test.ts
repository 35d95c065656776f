// Holds the shelves in SQLite to the contract of their port.
import { productStoreContract } from '#ports/product-store.contract.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { tempDatabase } from '../../../test/fixtures/temp-database.ts'
import { sqliteProductStore } from './product-store.ts'

productStoreContract('sqlite product store', async (context) => {
  return sqliteProductStore({ database: tempDatabase(context, manualClock()) })
})
