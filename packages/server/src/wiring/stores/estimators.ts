// Opens the store of the token counters' calibrations.
import { sqliteEstimatorStore } from '#adapters/sqlite/estimator-store/estimator-store.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const estimatorStores: StoreTable<'estimators'> = {
  sqlite: async ({ database }) => sqliteEstimatorStore({ database }),
  async redis(parts) {
    const { redisEstimatorStore } = await import('#adapters/redis/estimator-store/estimator-store.ts')
    return redisEstimatorStore({ redis: redisOf(parts) })
  },
}
