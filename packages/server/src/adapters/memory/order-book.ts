// Orders in memory: for tests and simulations, and the oracle of the other adapters.
import type { Clock } from '#ports/clock/port.ts'
import { ORDERS_MAX } from '#ports/order-book/port.ts'
import type { NewOrder, OrderBook } from '#ports/order-book/port.ts'

export interface MemoryOrderBookOptions {
  readonly clock: Pick<Clock, 'now'>
  /** How long an order is stored after it was placed. */
  readonly keepMs: number
}

export function memoryOrderBook({ clock, keepMs }: MemoryOrderBookOptions): OrderBook {
  const kept = new Map<string, readonly NewOrder[]>()
  /** The latest first. */
  const of = (principalId: string): readonly NewOrder[] =>
    (kept.get(principalId) ?? []).filter(({ order }) => order.placedAt + keepMs > clock.now())

  const place = (principalId: string, placed: NewOrder): NewOrder => {
    const all = of(principalId)
    const same = all.find(({ key }) => key === placed.key)
    if (same !== undefined) return same
    kept.set(principalId, [...all, placed].sort(latestFirst).slice(0, ORDERS_MAX))
    return placed
  }

  return {
    place: async (principalId, placed) => place(principalId, placed).order,
    list: async (principalId, limit) =>
      of(principalId)
        .slice(0, limit)
        .map(({ order }) => order),
    find: async (principalId, orderId) => of(principalId).find(({ order }) => order.id === orderId)?.order,
    findByKey: async (principalId, key) => of(principalId).find((placed) => placed.key === key)?.order,
    async adopt(guestId, userId) {
      for (const placed of of(guestId).toReversed()) place(userId, placed)
      kept.delete(guestId)
    },
    async forget(principalId) {
      const all = of(principalId)
      kept.delete(principalId)
      return all.length
    },
    async sweep(limit) {
      let removed = 0
      for (const [principalId, all] of kept) {
        const alive = of(principalId)
        if (removed >= limit || alive.length === all.length) continue
        removed += all.length - alive.length
        kept.set(principalId, alive)
      }
      return removed
    },
  }
}

function latestFirst({ order: a }: NewOrder, { order: b }: NewOrder): number {
  return b.placedAt - a.placedAt || (a.id < b.id ? 1 : -1)
}
