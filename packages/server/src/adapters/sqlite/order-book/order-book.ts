// Orders in SQLite: one row each.
import type { Order } from '#domain/commerce/order.ts'
import type { Clock } from '#ports/clock/port.ts'
import { ORDERS_MAX } from '#ports/order-book/port.ts'
import type { NewOrder, OrderBook } from '#ports/order-book/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteOrderBookOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  /** How long an order is stored after it was placed. */
  readonly keepMs: number
}

type Row = Record<string, unknown>

const BY_KEY = 'SELECT placed FROM orders WHERE principal_id = ? AND placed_by = ? AND placed_at > ?'
const BY_ID = 'SELECT placed FROM orders WHERE id = ? AND principal_id = ? AND placed_at > ?'
const LIST = `SELECT placed_by, placed FROM orders WHERE principal_id = ? AND placed_at > ?
  ORDER BY placed_at DESC, id DESC LIMIT ?`
const INSERT = 'INSERT OR REPLACE INTO orders (id, principal_id, placed_by, placed_at, placed) VALUES (?, ?, ?, ?, ?)'
const TRIM = `DELETE FROM orders WHERE id IN
  (SELECT id FROM orders WHERE principal_id = ? ORDER BY placed_at DESC, id DESC LIMIT -1 OFFSET ${ORDERS_MAX})`
const REMOVE = 'DELETE FROM orders WHERE principal_id = ?'
const SWEEP = `DELETE FROM orders WHERE id IN (SELECT id FROM orders WHERE placed_at <= ? ORDER BY placed_at LIMIT ?)`

export function sqliteOrderBook({ clock, database, keepMs }: SqliteOrderBookOptions): OrderBook {
  const sql = (text: string) => database.statement(text)
  /** Orders that were placed at this time or before have expired. */
  const expired = () => clock.now() - keepMs
  const listed = (principalId: string, limit: number): Row[] => sql(LIST).all(principalId, expired(), limit)

  const placeNow = (principalId: string, { key, order }: NewOrder): Order => {
    const same = sql(BY_KEY).get(principalId, key, expired())
    if (same !== undefined) return orderIn(same)
    sql(INSERT).run(order.id, principalId, key, order.placedAt, JSON.stringify(order))
    sql(TRIM).run(principalId)
    return order
  }

  return {
    place: (principalId, placed) => database.write(() => placeNow(principalId, placed)),
    list: async (principalId, limit) => listed(principalId, limit).map(orderIn),
    async find(principalId, orderId) {
      const row = sql(BY_ID).get(orderId, principalId, expired())
      return row === undefined ? undefined : orderIn(row)
    },
    async findByKey(principalId, key) {
      const row = sql(BY_KEY).get(principalId, key, expired())
      return row === undefined ? undefined : orderIn(row)
    },
    adopt: (guestId, userId) =>
      database.write(() => {
        const adopted = listed(guestId, ORDERS_MAX)
        sql(REMOVE).run(guestId)
        for (const row of adopted.toReversed()) placeNow(userId, { key: String(row['placed_by']), order: orderIn(row) })
      }),
    forget: (principalId) =>
      database.write(() => {
        const count = listed(principalId, ORDERS_MAX).length
        sql(REMOVE).run(principalId)
        return count
      }),
    sweep: (limit) => database.write(() => Number(sql(SWEEP).run(expired(), limit).changes)),
  }
}

function orderIn(row: Row): Order {
  return JSON.parse(String(row['placed'])) as Order
}
