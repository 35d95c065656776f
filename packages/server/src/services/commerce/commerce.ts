// Everything that a shopper does with the cart and with orders, for the doors and, later, for tools of the assistant. Orders can be placed
// only in the demo.
import type { CheckoutRequest, OrderView } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { isDemoPrincipal } from '#domain/identity/demo-members.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Carts } from '#stores/carts.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { callerLimit } from '../storefront/caller-limit.ts'
import type { CallerLimitParts } from '../storefront/caller-limit.ts'
import { createCartQueries } from './carts.ts'
import type { From } from './carts.ts'
import { createOrderQueries } from './orders.ts'
import { createSampleOrders } from './sample-orders.ts'

/**
 * Carts and orders that the guests behind one network begin: enough for a school, and far below what a disk notices. Both are stored for
 * months.
 */
const BEGUN = { name: 'carts', perSecond: 60 / 3600, burst: 200 }

export interface CommerceParts extends CallerLimitParts {
  readonly carts: Carts
  readonly orders: OrderBook
  readonly products: Pick<ProductStore, 'byIds' | 'page'>
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'demo' | 'store'>
}

export function createCommerce(parts: CommerceParts) {
  const { carts, config, orders } = parts
  const { shipping } = config.store
  const take = callerLimit(parts, BEGUN)
  async function countBegun(principal: Principal, { network }: From): Promise<void> {
    const retryAfterMs = await take(principal, network)
    if (retryAfterMs > 0) throw new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'carts' } })
  }
  const cart = createCartQueries({ ...parts, shipping, countBegun })
  const book = createOrderQueries({ ...parts, readCart: cart.read, countBegun })
  const placeSamples = createSampleOrders({ ...parts, shipping })
  return {
    cart: cart.read,
    cartCount: cart.count,
    addToCart: cart.add,
    setCartItem: cart.set,

    /** Throws FORBIDDEN where there is no demo: this program takes no real orders. */
    async checkout(principal: Principal, request: CheckoutRequest, from: From): Promise<OrderView> {
      if (!config.demo) throw new Refusal('FORBIDDEN', { details: { reason: 'demo-only' } })
      return book.checkout(principal, request, from)
    },

    /** A member of the demo has some earlier orders: they are placed when the list is first read. */
    async orders(principal: Principal, { network }: From): Promise<readonly OrderView[]> {
      const mayPlace = async () => (await take(principal, network)) === 0
      if (config.demo && isDemoPrincipal(principal.id)) await placeSamples(principal.id, mayPlace)
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
