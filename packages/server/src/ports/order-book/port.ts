// The orders of a principal, guest or user. An order is placed once by its key; another principal's order is not found. Each principal
// has a bounded number of orders: above it the oldest is removed.
import type { Order } from '#domain/commerce/order.ts'

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
