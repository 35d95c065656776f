// Everything that a shopper does with the cart and with orders, for the doors and, later, for tools of the assistant. Orders can be placed
// only in the demo.
import type { CheckoutRequest, OrderView } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { isDemoPrincipal } from '#domain/identity/demo-members.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Carts } from '#ports/carts/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OrderBook } from '#ports/order-book/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import { createCartQueries } from './carts.ts'
import { createOrderQueries } from './orders.ts'
import { createSampleOrders } from './sample-orders.ts'

export interface CommerceParts {
  readonly carts: Carts
  readonly orders: OrderBook
  readonly products: Pick<ProductStore, 'byIds' | 'page'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly config: Pick<Config, 'demo' | 'store'>
}

export function createCommerce(parts: CommerceParts) {
  const { carts, config, orders } = parts
  const { shipping } = config.store
  const cart = createCartQueries({ ...parts, shipping })
  const book = createOrderQueries({ ...parts, readCart: cart.read })
  const placeSamples = createSampleOrders({ ...parts, shipping })
  return {
    cart: cart.read,
    cartCount: cart.count,
    addToCart: cart.add,
    setCartItem: cart.set,

    /** Throws FORBIDDEN where there is no demo: this program takes no real orders. */
    async checkout(principal: Principal, request: CheckoutRequest): Promise<OrderView> {
      if (!config.demo) throw new Refusal('FORBIDDEN', { details: { reason: 'demo-only' } })
      return book.checkout(principal, request)
    },

    /** A member of the demo has some earlier orders: they are placed when the list is first read. */
    async orders(principal: Principal): Promise<readonly OrderView[]> {
      if (config.demo && isDemoPrincipal(principal.id)) await placeSamples(principal.id)
      return book.list(principal)
    },
    order: book.get,

    /** The guest's cart and orders become the user's. Idempotent. */
    async adopt(guestId: string, userId: string): Promise<void> {
      await carts.adopt(guestId, userId)
      await orders.adopt(guestId, userId)
    },
  }
}

export type Commerce = ReturnType<typeof createCommerce>
