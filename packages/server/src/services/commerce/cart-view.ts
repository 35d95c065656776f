// What a shopper sees of a cart: current prices and stock, what has changed since a line was chosen, and what cannot be ordered.
import type { CartItem, CartView } from '@mangaassist/protocol'
import { priceOfVolume, productUrl, stockOfVolume } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { lineId } from '#domain/commerce/cart.ts'
import type { Cart, CartLine } from '#domain/commerce/cart.ts'
import { shippingYen } from '#domain/commerce/order.ts'
import type { ShippingRule } from '#domain/commerce/order.ts'

export function cartView(cart: Cart, products: ReadonlyMap<string, Product>, shipping: ShippingRule): CartView {
  const items = cart.lines.map((line) => cartItem(line, products.get(line.productId)))
  const itemsYen = items.reduce((sum, { sumYen }) => sum + sumYen, 0)
  const fee = shippingYen(itemsYen, shipping)
  return {
    version: cart.version,
    items,
    count: items.reduce((sum, { quantity }) => sum + quantity, 0),
    itemsYen,
    shippingYen: fee,
    totalYen: itemsYen + fee,
    freeShippingFromYen: shipping.freeFromYen,
    canOrder: items.length > 0 && items.every(({ problem }) => problem === undefined),
  }
}

function cartItem(line: CartLine, product: Product | undefined): CartItem {
  const { productId, quantity, seenYen, volume } = line
  const stock = product === undefined ? 0 : stockOfVolume(product, volume)
  const current = product === undefined ? undefined : priceOfVolume(product, volume)
  const priceYen = current ?? seenYen
  const problem = problemOf(current, stock, quantity)
  const title =
    product === undefined ? { ja: productId, en: productId } : { ja: product.title.ja, en: product.title.en }
  return {
    id: lineId(line),
    productId,
    title,
    url: productUrl(productId),
    volume,
    quantity,
    priceYen,
    // What cannot be bought at all costs nothing, so that the total is what an order would cost.
    sumYen: problem === 'sold-out' || problem === 'not-sold' ? 0 : priceYen * quantity,
    stock,
    ...(priceYen === seenYen ? {} : { seenYen }),
    ...(problem === undefined ? {} : { problem }),
  }
}

function problemOf(priceYen: number | undefined, stock: number, quantity: number): CartItem['problem'] {
  if (priceYen === undefined) return 'not-sold'
  if (stock === 0) return 'sold-out'
  return stock < quantity ? 'too-few' : undefined
}
