// The cart, the demo checkout and the orders of the caller: one method for each route. A change is sent with a key of its own, so that one
// that is repeated on the way is made once. It rejects with a `ChatError`.
import type {
  AddedToCart,
  AddToCartRequest,
  CartView,
  CheckoutRequest,
  ErrorBody,
  OrderView,
} from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'

export interface ShopOptions {
  /** The server's address, such as `https://shop.example`. */
  readonly url: string
  /**
   * More request headers. Outside browsers `authorization` or `cookie` is needed: without one each call is a new guest's, whose cart is
   * empty, and `addToCart` rejects with the reason `cookie-required`.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: 15 seconds. */
  readonly timeoutMs?: number
}

export interface Shop {
  cart(): Promise<CartView>
  /** `idempotencyKey`: default a new one for each call. */
  addToCart(request: AddToCartRequest): Promise<AddedToCart>
  /** 0 removes the item. */
  setCartItem(itemId: string, quantity: number): Promise<CartView>
  removeCartItem(itemId: string): Promise<CartView>
  /** Only in the demo. The key is the caller's: with the same one it gets the same order. */
  checkout(request: CheckoutRequest): Promise<OrderView>
  orders(): Promise<OrderView[]>
  order(orderId: string): Promise<OrderView>
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The segments after `/api/`, not encoded. */
  readonly path: readonly string[]
  readonly body?: object
}

const responseTimeoutMs = 15_000

export function createShop(options: ShopOptions): Shop {
  const get = (...path: readonly string[]) => call(options, { method: 'GET', path })
  const item = (itemId: string) => ['cart', 'items', itemId]
  return {
    cart: () => get('cart') as Promise<CartView>,
    addToCart: (request) => {
      const body = { idempotencyKey: newKey(), ...request }
      return call(options, { method: 'POST', path: ['cart', 'items'], body }) as Promise<AddedToCart>
    },
    setCartItem: (itemId, quantity) => {
      const body = { quantity, idempotencyKey: newKey() }
      return call(options, { method: 'PATCH', path: item(itemId), body }) as Promise<CartView>
    },
    removeCartItem: (itemId) => call(options, { method: 'DELETE', path: item(itemId) }) as Promise<CartView>,
    checkout: (body) => call(options, { method: 'POST', path: ['checkout'], body }) as Promise<OrderView>,
    orders: () => get('orders') as Promise<OrderView[]>,
    order: (orderId) => get('orders', orderId) as Promise<OrderView>,
  }
}

/** The refusal of a new guest gives a browser the guest's cookie: with it the call is sent again. Elsewhere it is refused again. */
async function call(options: ShopOptions, sent: Call): Promise<unknown> {
  try {
    return await once(options, sent)
  } catch (error) {
    if (!(error instanceof ChatError) || error.details?.['reason'] !== 'cookie-required') throw error
    return once(options, sent)
  }
}

async function once({ headers, timeoutMs = responseTimeoutMs, url }: ShopOptions, sent: Call): Promise<unknown> {
  const { body, method, path } = sent
  const answer = await fetch(new URL(`/api/${path.map(encodeURIComponent).join('/')}`, url), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw lost('The server cannot be reached.')
  })
  const read = (await answer.json().catch(() => null)) as { data?: unknown; error?: ErrorBody } | null
  if (read?.error !== undefined) throw new ChatError(read.error)
  if (read?.data === undefined) throw lost(`The response is not from MangaAssist: status ${answer.status}.`)
  return read.data
}

const lost = (message: string): ChatError => new ChatError({ code: 'CONNECTION_LOST', message })

/** Not `randomUUID`, which is missing on pages over plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
