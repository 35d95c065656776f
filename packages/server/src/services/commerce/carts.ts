// The caller's cart. Series, prices and stock are read from the product store with every call: a volume that is sold out is not added,
// and a cart shows what has changed.
import type { AddedToCart, AddToCartRequest, CartView, SetCartItemRequest } from '@mangaassist/protocol'
import { priceOfVolume, stockOfVolume } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { CART_LINES_MAX, CART_QUANTITY_MAX, lineId } from '#domain/commerce/cart.ts'
import type { Cart, CartEdit } from '#domain/commerce/cart.ts'
import type { ShippingRule } from '#domain/commerce/order.ts'
import { isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Carts } from '#stores/carts.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import { cartView } from './cart-view.ts'

/** Where a request comes from. */
export interface From {
  readonly network: string
  /** The guest was made for this request: nothing shows that the caller keeps the cookie. */
  readonly isNewGuest?: boolean
}

export interface CartQueriesParts {
  readonly carts: Carts
  readonly products: Pick<ProductStore, 'byIds'>
  readonly random: Random
  readonly shipping: ShippingRule
  /** Throws RATE_LIMITED when an unproven caller begins too much that is stored for long. */
  readonly countBegun: (principal: Principal, from: From) => Promise<void>
}

type Operation = { readonly idempotencyKey?: string | undefined }

export function createCartQueries({ carts, countBegun, products, random, shipping }: CartQueriesParts) {
  async function view(cart: Cart): Promise<CartView> {
    const found = await products.byIds([...new Set(cart.lines.map(({ productId }) => productId))])
    return cartView(cart, new Map(found.map((product) => [product.id, product])), shipping)
  }

  async function edited(
    { id }: Principal,
    edits: readonly CartEdit[],
    { idempotencyKey = random.id('op') }: Operation,
  ): Promise<CartView> {
    const result = await carts.edit(id, { id: idempotencyKey, edits })
    if (result.kind !== 'full') return view(result.cart)
    const isLines = result.limit === 'lines'
    throw new Refusal('INVALID_REQUEST', {
      details: isLines
        ? { field: 'volumes', reason: 'cart-full', max: CART_LINES_MAX }
        : { field: 'quantity', reason: 'cart-full', max: CART_QUANTITY_MAX },
    })
  }

  async function product(productId: string): Promise<Product> {
    const [found] = await products.byIds([productId])
    if (found === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'productId' } })
    return found
  }

  /** Throws for volumes that were named and cannot be bought; of all volumes it leaves them out. */
  async function chosenVolumes(principal: Principal, series: Product, { quantity = 1, volumes }: AddToCartRequest) {
    if (volumes !== 'all') {
      const unknown = volumes.find((volume) => priceOfVolume(series, volume) === undefined)
      if (unknown !== undefined)
        throw new Refusal('INVALID_REQUEST', { details: { field: 'volumes', reason: 'not-sold', volume: unknown } })
      const missing = volumes.filter((volume) => stockOfVolume(series, volume) < quantity)
      if (missing.length > 0) throw outOfStock(series, missing)
      return { added: volumes, soldOut: [] }
    }
    const all = Array.from({ length: series.volumes }, (_, index) => index + 1)
    const soldOut = all.filter((volume) => stockOfVolume(series, volume) < quantity)
    if (soldOut.length === all.length) throw outOfStock(series, soldOut)
    const has = new Set((await carts.read(principal.id)).lines.map(lineId))
    const added = all.filter(
      (volume) => !soldOut.includes(volume) && !has.has(lineId({ productId: series.id, volume })),
    )
    return { added, soldOut }
  }

  return {
    async read({ id }: Principal): Promise<CartView> {
      return view(await carts.read(id))
    },

    /** All copies in the cart, whether they can be ordered or not. */
    async count({ id }: Principal): Promise<number> {
      return (await carts.read(id)).lines.reduce((sum, { quantity }) => sum + quantity, 0)
    },

    /** Throws UNAUTHENTICATED for a new guest: a cart that no cookie leads back to would only fill the store. */
    async add(principal: Principal, request: AddToCartRequest, from: From): Promise<AddedToCart> {
      if (from.isNewGuest === true)
        throw new Refusal('UNAUTHENTICATED', {
          details: { reason: 'cookie-required', needs: 'cookie or authorization' },
        })
      const series = await product(request.productId)
      const { added, soldOut } = await chosenVolumes(principal, series, request)
      const edits = added.map((volume): CartEdit => ({
        kind: 'add',
        productId: series.id,
        volume,
        quantity: request.quantity ?? 1,
        seenYen: priceOfVolume(series, volume) ?? series.pricePerVolumeYen,
      }))
      if (isUnproven(principal) && (await carts.read(principal.id)).version === 0) await countBegun(principal, from)
      return { cart: await edited(principal, edits, request), added: [...added], soldOut: [...soldOut] }
    },

    /** Sets the quantity of a line that is in the cart; 0 removes it, also when the store sells it no longer. */
    async set(principal: Principal, itemId: string, request: SetCartItemRequest): Promise<CartView> {
      const cart = await carts.read(principal.id)
      const line = cart.lines.find((one) => lineId(one) === itemId)
      // A repeat of a removal finds nothing to remove, which is what it asks for.
      if (line === undefined && request.quantity === 0) return view(cart)
      if (line === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'itemId' } })
      const seenYen = await currentPrice(line.productId, line.volume, request.quantity)
      const edit: CartEdit = { ...line, kind: 'set', quantity: request.quantity, seenYen: seenYen ?? line.seenYen }
      return edited(principal, [edit], request)
    },
  }

  async function currentPrice(productId: string, volume: number, quantity: number): Promise<number | undefined> {
    if (quantity === 0) return undefined
    const series = await product(productId)
    if (stockOfVolume(series, volume) < quantity) throw outOfStock(series, [volume])
    return priceOfVolume(series, volume)
  }
}

/** The volumes with the copies that there are. */
function outOfStock(series: Product, volumes: readonly number[]): Refusal {
  const items = volumes.map((volume) => ({
    id: lineId({ productId: series.id, volume }),
    volume,
    stock: stockOfVolume(series, volume),
  }))
  return new Refusal('OUT_OF_STOCK', { details: { productId: series.id, items } })
}
