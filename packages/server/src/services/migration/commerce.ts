// The parts of a move that belong to shopping: carts and orders.
import { isDeepStrictEqual } from 'node:util'
import { cartOf } from '#domain/commerce/cart.ts'
import type { Carts } from '#ports/carts/port.ts'
import type { CartImport } from '#ports/migration/imports.ts'
import type { OrderBook } from '#ports/order-book/port.ts'
import type { Part, PartOptions } from './part.ts'

export function cartsPart(
  options: PartOptions<{ readonly imports: CartImport; readonly carts: Pick<Carts, 'read'> }>,
): Part {
  const { counts, source, store, target } = options
  return {
    name: 'carts',
    store,
    total: counts.carts,
    move: (each) => each(source.carts(), (stored) => target.imports.add(stored)),
    verify: (each, differs) =>
      each(source.carts(), async ({ cart, principalId }) => {
        if (!isDeepStrictEqual(await target.carts.read(principalId), cartOf(cart))) differs(principalId)
      }),
  }
}

/** An order is placed once by its key, and has its id, its time and its states from before: the verb of the port moves it. */
export function ordersPart({
  counts,
  source,
  store,
  target,
}: PartOptions<Pick<OrderBook, 'place' | 'find' | 'findByKey'>>): Part {
  return {
    name: 'orders',
    store,
    total: counts.orders,
    move: (each) =>
      each(source.orders(), async ({ placed, principalId }) => void (await target.place(principalId, placed))),
    verify: (each, differs) =>
      each(source.orders(), async ({ placed, principalId }) => {
        const { key, order } = placed
        const found = await Promise.all([target.find(principalId, order.id), target.findByKey(principalId, key)])
        if (!found.every((one) => isDeepStrictEqual(one, order))) differs(order.id)
      }),
  }
}
