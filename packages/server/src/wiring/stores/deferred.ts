// Opens the stores of what waits: questions for a model, and shoppers for a person.
import { sqliteDeferredStore } from '#adapters/sqlite/deferred-store/deferred-store.ts'
import { sqliteHandoverRequests } from '#adapters/sqlite/handover-requests/handover-requests.ts'
import { HANDOVER_KEEP_MS } from '#ports/handover-requests/port.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const deferredStores: StoreTable<'deferred'> = {
  sqlite: async ({ clock, config, database }) => sqliteDeferredStore({ database, clock, limits: config.deferred }),
  async redis(parts) {
    const { redisDeferredStore } = await import('#adapters/redis/deferred-store/deferred-store.ts')
    return redisDeferredStore({ redis: redisOf(parts), limits: parts.config.deferred })
  },
}

export const handoverStores: StoreTable<'handovers'> = {
  sqlite: async ({ database }) => sqliteHandoverRequests({ database }),
  async redis(parts) {
    const { redisHandoverRequests } = await import('#adapters/redis/handover-requests/handover-requests.ts')
    return redisHandoverRequests({ redis: redisOf(parts), keepMs: HANDOVER_KEEP_MS })
  },
}
