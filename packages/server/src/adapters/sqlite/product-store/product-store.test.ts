// Runs the contract of the product store on SQLite.
import { productStoreContract } from '#ports/product-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteProductStore } from './product-store.ts'

productStoreContract('sqlite product store', async (context) => {
  return sqliteProductStore({ database: tempDatabase(context, manualClock()) })
})
