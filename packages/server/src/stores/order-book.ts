// The orders of a principal, guest or user. An order is placed once by its key; another principal's order is not found. Each principal
// has a bounded number of orders: above it the oldest is removed.
import type { Order } from '#domain/commerce/order.ts'
import type { Kind, RecordChange, RecordStore } from '#ports/records/port.ts'

export interface NewOrder {
  /** The same key places one order. */
  readonly key: string
  readonly order: Order
}

export interface OrderBook {
  /** Returns the order of this key: the given one, or the one that was placed by it before. Durable when it resolves. */
  place(principalId: string, placed: NewOrder): Promise<Order>
  /** The latest first. */
  list(principalId: string, limit: number): Promise<readonly Order[]>
  find(principalId: string, orderId: string): Promise<Order | undefined>
  /** The order that was placed by this key. */
  findByKey(principalId: string, key: string): Promise<Order | undefined>
  /** The guest's orders become the user's. Idempotent. */
  adopt(guestId: string, userId: string): Promise<void>
  /** Removes all orders of the principal; returns how many. */
  forget(principalId: string): Promise<number>
  /** Removes at most so many expired orders, and returns how many; 0 where they expire by themselves. */
  sweep(limit: number): Promise<number>
}

/** How many orders of one principal are stored. */
export const ORDERS_MAX = 200

export interface OrderOfPrincipal extends NewOrder {
  readonly principalId: string
}

/** An order is stored for `keepMs` after it was placed. */
export function orderKind(keepMs: number): Kind<OrderOfPrincipal> {
  return {
    name: 'orders',
    fields: ({ key, order, principalId }) => ({ id: order.id, principalId, placedBy: key, placedAt: order.placedAt }),
    id: 'id',
    home: 'principalId',
    time: 'placedAt',
    unique: 'placedBy',
    keepMs,
    sqlite: {
      body: 'placed',
      pack: ({ order }) => order,
      unpack: (json, { placedBy, principalId }) => ({
        principalId: String(principalId),
        key: String(placedBy),
        order: json as Order,
      }),
    },
    redis: {
      records: orders,
      all: (principalId) => `${orders(principalId)}:times`,
      unique: (principalId) => `${orders(principalId)}:keys`,
      pack: ({ key, order }) => ({ key, order }),
      unpack: (json, { principalId }) => ({ principalId: String(principalId), ...(json as NewOrder) }),
    },
  }
}

const orders = (principalId: string) => `ma:{user:${encodeURIComponent(principalId)}}:orders`

export interface OrderBookOptions {
  readonly records: RecordStore
  /** How long an order is stored after it was placed. */
  readonly keepMs: number
}

export function createOrderBook({ keepMs, records }: OrderBookOptions): OrderBook {
  const book = records.open(orderKind(keepMs))

  async function find(principalId: string, by: 'id' | 'placedBy', is: string): Promise<Order | undefined> {
    return (await book.list(principalId, { by, is, limit: 1 }))[0]?.order
  }

  function place(principalId: string, { key, order }: NewOrder): Promise<Order> {
    const reads = { same: { by: 'placedBy', is: key }, oldest: { skip: ORDERS_MAX - 1 } }
    return book.change(principalId, reads, ({ oldest, same: [same] }): RecordChange<OrderOfPrincipal, Order> => {
      if (same !== undefined) return { result: same.order }
      const isOlder = oldest.some((one) => one.order.placedAt > order.placedAt)
      return isOlder ? { result: order } : { put: [{ principalId, key, order }], remove: oldest, result: order }
    })
  }

  const forget = (principalId: string) =>
    book.change(principalId, { all: {} }, ({ all }) => ({ remove: all, result: all.length }))

  return {
    place,
    list: async (principalId, limit) => (await book.list(principalId, { limit })).map(({ order }) => order),
    find: (principalId, orderId) => find(principalId, 'id', orderId),
    findByKey: (principalId, key) => find(principalId, 'placedBy', key),
    // Two homes: a repeat after a crash places none twice, because keys are kept.
    async adopt(guestId, userId) {
      const adopted = await book.list(guestId, { limit: ORDERS_MAX })
      for (const placed of adopted.toReversed()) await place(userId, placed)
      if (adopted.length > 0) await forget(guestId)
    },
    forget,
    sweep: (limit) => book.sweep(limit),
  }
}
