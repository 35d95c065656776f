// The demo checkout and the caller's orders. An order has the whole cart at the prices of this moment, which must be those that the shopper
// saw; no money is taken, and no stock is reserved. A repeat of a checkout gets the first order, also after a crash between its two steps.
import type { CartView, CheckoutRequest, OrderView } from '@mangaassist/protocol'
import { productUrl } from '@mangaassist/bookseller/catalogue/catalogue'
import type { CartEdit } from '#domain/commerce/cart.ts'
import { plannedTimeline, stateAt } from '#domain/commerce/order.ts'
import type { Order } from '#domain/commerce/order.ts'
import { isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Carts } from '#stores/carts.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { Random } from '#ports/random/port.ts'
import type { From } from './carts.ts'

export interface OrderQueriesParts {
  readonly carts: Carts
  readonly orders: OrderBook
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly readCart: (principal: Principal) => Promise<CartView>
  /** Throws RATE_LIMITED when an unproven caller begins too much that is stored for long. */
  readonly countBegun: (principal: Principal, from: From) => Promise<void>
}

const ORDERS_LISTED_MAX = 50

export function createOrderQueries({ carts, clock, countBegun, orders, random, readCart }: OrderQueriesParts) {
  /** Identified by the order's id, so that a repeat removes nothing twice. */
  async function emptyCart({ id }: Principal, order: Order): Promise<void> {
    const edits = order.lines.map(({ priceYen, productId, quantity, volume }): CartEdit => ({
      kind: 'take',
      productId,
      volume,
      quantity,
      seenYen: priceYen,
    }))
    await carts.edit(id, { id: `order:${order.id}`, edits })
  }

  const viewed = (order: Order): OrderView => orderView(order, clock.now())

  /**
   * The order of this key, or a new one. One version of a cart is ordered once: the checkout raises it first, and another one of
   * the same version, from a second tab, is refused. Throws CART_CHANGED, OUT_OF_STOCK or INVALID_REQUEST.
   */
  async function placed(id: string, cart: CartView, request: CheckoutRequest): Promise<Order> {
    const { idempotencyKey: key, version } = request
    checkCart(cart, request)
    const claimed = await carts.edit(id, { id: `checkout:${key}`, edits: [] })
    if (claimed.cart.version !== version + 1) throw changed({ ...cart, version: claimed.cart.version })
    return orders.place(id, { key, order: orderOf(cart, random.id('order'), clock.now()) })
  }

  return {
    async checkout(principal: Principal, request: CheckoutRequest, from: From): Promise<OrderView> {
      const find = () => orders.findByKey(principal.id, request.idempotencyKey)
      const before = await find()
      if (before === undefined && isUnproven(principal)) await countBegun(principal, from)
      const order =
        before ??
        (await placed(principal.id, await readCart(principal), request).catch(async (error: unknown) => {
          // A repeat that came while the first one was at work.
          const same = error instanceof Refusal ? await find() : undefined
          if (same === undefined) throw error
          return same
        }))
      await emptyCart(principal, order)
      return viewed(order)
    },

    async list({ id }: Principal): Promise<readonly OrderView[]> {
      return (await orders.list(id, ORDERS_LISTED_MAX)).map(viewed)
    },

    /** Throws NOT_FOUND, also for another principal's. */
    async get({ id }: Principal, orderId: string): Promise<OrderView> {
      const order = await orders.find(id, orderId)
      if (order === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'orderId' } })
      return viewed(order)
    },
  }
}

function checkCart(cart: CartView, seen: CheckoutRequest): void {
  if (cart.items.length === 0) throw new Refusal('INVALID_REQUEST', { details: { field: 'cart', reason: 'empty' } })
  const missing = cart.items.filter(({ problem }) => problem !== undefined)
  if (missing.length > 0) {
    const items = missing.map(({ id, problem, stock, volume }) => ({ id, volume, stock, problem }))
    throw new Refusal('OUT_OF_STOCK', { details: { items } })
  }
  // The next version may be the one that this checkout has made, before it was lost or repeated.
  const isSeen = cart.version === seen.version || cart.version === seen.version + 1
  if (!isSeen || cart.totalYen !== seen.totalYen) throw changed(cart)
}

function changed({ totalYen, version }: Pick<CartView, 'totalYen' | 'version'>): Refusal {
  return new Refusal('CART_CHANGED', { details: { version, totalYen } })
}

function orderOf({ items, itemsYen, shippingYen, totalYen }: CartView, id: string, now: number): Order {
  const lines = items.map(({ priceYen, productId, quantity, title, volume }) => ({
    productId,
    title,
    volume,
    quantity,
    priceYen,
  }))
  return { id, placedAt: now, lines, itemsYen, shippingYen, totalYen, timeline: plannedTimeline(now) }
}

export function orderView(order: Order, now: number): OrderView {
  const { id, itemsYen, lines, placedAt, shippingYen, timeline, totalYen } = order
  const state = stateAt(order, now)
  const delivery = timeline.find((event) => event.state === 'delivered')
  return {
    id,
    state,
    placedAt: isoTime(placedAt),
    lines: lines.map((line) => ({ ...line, url: productUrl(line.productId), sumYen: line.priceYen * line.quantity })),
    count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    itemsYen,
    shippingYen,
    totalYen,
    events: timeline.filter(({ at }) => at <= now).map((event) => ({ state: event.state, at: isoTime(event.at) })),
    ...(delivery !== undefined && delivery.at > now ? { expectedAt: isoTime(delivery.at) } : {}),
    demo: true,
  }
}
