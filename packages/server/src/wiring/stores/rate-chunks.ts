// Opens the store of the rates of the whole shop.
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const rateChunkStores: StoreTable<'rateChunks'> = {
  memory: async ({ clock }) => memoryRateChunks({ clock }),
  async redis(parts) {
    const { redisRateChunks } = await import('#adapters/redis/rate-chunks/rate-chunks.ts')
    return redisRateChunks({ redis: redisOf(parts) })
  },
}
