// Opens the store of the questions that wait for a model.
import { sqliteDeferredStore } from '#adapters/sqlite/deferred-store/deferred-store.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const deferredStores: StoreTable<'deferred'> = {
  sqlite: async ({ clock, config, database }) => sqliteDeferredStore({ database, clock, limits: config.deferred }),
  async redis(parts) {
    const { redisDeferredStore } = await import('#adapters/redis/deferred-store/deferred-store.ts')
    return redisDeferredStore({ redis: redisOf(parts), limits: parts.config.deferred })
  },
}
