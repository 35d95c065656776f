// Opens the stores of carts and of the order book.
import { sqliteCarts } from '#adapters/sqlite/carts/carts.ts'
import { sqliteOrderBook } from '#adapters/sqlite/order-book/order-book.ts'
import { redisOf } from './store-parts.ts'
import type { StoreParts, StoreTable } from './store-parts.ts'

const DAY_MS = 86_400_000
const cartsKeepMs = ({ config }: StoreParts): number => config.retention.cartsDays * DAY_MS
const ordersKeepMs = ({ config }: StoreParts): number => config.retention.ordersDays * DAY_MS

export const cartStores: StoreTable<'carts'> = {
  sqlite: async (parts) => sqliteCarts({ ...parts, keepMs: cartsKeepMs(parts) }),
  async redis(parts) {
    const { redisCarts } = await import('#adapters/redis/carts/carts.ts')
    return redisCarts({ redis: redisOf(parts), keepMs: cartsKeepMs(parts) })
  },
}

export const orderBooks: StoreTable<'orders'> = {
  sqlite: async (parts) => sqliteOrderBook({ ...parts, keepMs: ordersKeepMs(parts) }),
  async redis(parts) {
    const { redisOrderBook } = await import('#adapters/redis/order-book/order-book.ts')
    return redisOrderBook({ redis: redisOf(parts), keepMs: ordersKeepMs(parts) })
  },
}
