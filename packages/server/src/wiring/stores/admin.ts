// Opens the store of operators' overrides and of the audit.
import { sqliteAdminStore } from '#adapters/sqlite/admin-store/admin-store.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const adminStores: StoreTable<'admin'> = {
  sqlite: async ({ database }) => sqliteAdminStore({ database }),
  async redis(parts) {
    const { redisAdminStore } = await import('#adapters/redis/admin-store/admin-store.ts')
    return redisAdminStore({ redis: redisOf(parts) })
  },
}
