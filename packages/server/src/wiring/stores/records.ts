// Opens the stores of records, and the kinds that are in them.
import { sqliteRecords } from '#adapters/sqlite/records/records.ts'
import type { Config } from '#config/config.ts'
import type { RecordStore } from '#ports/records/port.ts'
import { createCarts } from '#stores/carts.ts'
import { createHandoverRequests } from '#stores/handover-requests.ts'
import { createOrderBook } from '#stores/order-book.ts'
import { redisOf } from './store-parts.ts'
import type { StoreParts, StoreTable } from './store-parts.ts'

const DAY_MS = 86_400_000

export const recordStores = {
  sqlite: async (parts) => sqliteRecords(parts),
  async redis(parts) {
    const { redisRecords } = await import('#adapters/redis/records/records.ts')
    return redisRecords({ redis: redisOf(parts) })
  },
} satisfies Readonly<Record<string, (parts: StoreParts) => Promise<RecordStore>>>

/** A kind, in every store of records. */
function inEach<Kind>(create: (records: RecordStore, config: Config) => Kind) {
  return {
    sqlite: async (parts: StoreParts) => create(await recordStores.sqlite(parts), parts.config),
    redis: async (parts: StoreParts) => create(await recordStores.redis(parts), parts.config),
  }
}

export const ordersKeepMs = ({ retention }: Config): number => retention.ordersDays * DAY_MS

export const cartStores: StoreTable<'carts'> = inEach((records, { retention }) =>
  createCarts({ records, keepMs: retention.cartsDays * DAY_MS }),
)
export const orderBooks: StoreTable<'orders'> = inEach((records, config) =>
  createOrderBook({ records, keepMs: ordersKeepMs(config) }),
)
export const handoverStores: StoreTable<'handovers'> = inEach((records) => createHandoverRequests({ records }))
