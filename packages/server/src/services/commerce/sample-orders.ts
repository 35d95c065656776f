// Orders that a member of the demo has from the start, so that there is something to look at: one on its way, one that arrived.
// By their keys each is placed once; the times count from the first reading of the list.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { priceOfVolume } from '@mangaassist/bookseller/catalogue/catalogue'
import { plannedTimeline, shippingYen } from '#domain/commerce/order.ts'
import type { Order, ShippingRule } from '#domain/commerce/order.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'

export interface SampleOrdersParts {
  readonly orders: Pick<OrderBook, 'findByKey' | 'place'>
  readonly products: Pick<ProductStore, 'byIds' | 'page'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly shipping: ShippingRule
}

const HOUR_MS = 3_600_000
const SAMPLES = [
  { key: 'sample-arrived', ids: ['yotsubato', 'slam-dunk'], volumes: [1, 2, 3], agoMs: 12 * 24 * HOUR_MS },
  { key: 'sample-on-its-way', ids: ['sousou-no-frieren', 'spy-x-family'], volumes: [1], agoMs: 30 * HOUR_MS },
] as const

export function createSampleOrders({ clock, orders, products, random, shipping }: SampleOrdersParts) {
  /** Idempotent. `mayPlace` is asked before each that is not there yet. */
  return async (principalId: string, mayPlace: () => Promise<boolean>): Promise<void> => {
    for (const { agoMs, ids, key, volumes } of SAMPLES) {
      if ((await orders.findByKey(principalId, key)) !== undefined) continue
      if (!(await mayPlace())) return
      const known = await products.byIds(ids)
      const series = known.length > 0 ? known : await products.page('', 1)
      if (series.length === 0) return
      const placedAt = clock.now() - agoMs
      await orders.place(principalId, {
        key,
        order: sampleOf({ id: random.id('order'), placedAt, series, volumes, shipping }),
      })
    }
  }
}

interface Sample {
  readonly id: string
  readonly placedAt: number
  readonly series: readonly Product[]
  readonly volumes: readonly number[]
  readonly shipping: ShippingRule
}

function sampleOf({ id, placedAt, series, shipping, volumes }: Sample): Order {
  const lines = series.flatMap((product) =>
    volumes.flatMap((volume) => {
      const priceYen = priceOfVolume(product, volume)
      const title = { ja: product.title.ja, en: product.title.en }
      return priceYen === undefined ? [] : [{ productId: product.id, title, volume, quantity: 1, priceYen }]
    }),
  )
  const itemsYen = lines.reduce((sum, { priceYen }) => sum + priceYen, 0)
  const fee = shippingYen(itemsYen, shipping)
  return {
    id,
    placedAt,
    lines,
    itemsYen,
    shippingYen: fee,
    totalYen: itemsYen + fee,
    timeline: plannedTimeline(placedAt),
  }
}
