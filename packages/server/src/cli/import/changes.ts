// What an import changes at a destination: counted while the rows are read, by comparison with outlines of the products that it has.
import { isDeepStrictEqual } from 'node:util'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { changedOffer, partsOf } from '@mangaassist/bookseller/catalogue/offer'
import type { ProductOffer, OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import { digestOf } from '#domain/catalogue/digests.ts'
import { isBundled } from '#domain/catalogue/sources.ts'
import type { Destination } from './destinations.ts'

export interface Changes {
  added: number
  facts: number
  price: number
  stock: number
  releases: number
  unchanged: number
}

export interface Comparison {
  readonly destination: Destination
  readonly changes: Changes
  has(id: string): boolean
  add(product: Product): void
  change(change: OfferChange): void
  /** Products that were not added. */
  removed(): number
  /** More than half would be removed; the bundled example may be replaced by anything. */
  removesTooMany(): boolean
}

/** An import that removes a larger share is more likely an incomplete file. */
const REMOVED_SHARE_MAX = 0.5

export async function compareWith(destination: Destination): Promise<Comparison> {
  const isExample = isBundled((await destination.source()) ?? '')
  const known = new Map<string, { readonly facts: string; readonly offer: ProductOffer }>()
  for await (const { facts, id, offer } of destination.outlines()) known.set(id, { facts, offer })
  const changes: Changes = { added: 0, facts: 0, price: 0, stock: 0, releases: 0, unchanged: 0 }
  let matched = 0
  const removed = () => known.size - matched

  function compareOffers(before: ProductOffer, after: ProductOffer): boolean {
    const pricesOf = ({ pricePerVolumeYen, volumeOffers = [] }: ProductOffer) => [
      pricePerVolumeYen,
      ...volumeOffers.map(({ priceYen, volume }) => [volume, priceYen]),
    ]
    const stockOf = ({ stock, volumeOffers = [] }: ProductOffer) => [
      stock,
      ...volumeOffers.map((one) => [one.volume, one.stock]),
    ]
    const differs = {
      price: !isDeepStrictEqual(pricesOf(before), pricesOf(after)),
      stock: !isDeepStrictEqual(stockOf(before), stockOf(after)),
      releases: !isDeepStrictEqual(before.releases, after.releases),
    }
    for (const name of ['price', 'stock', 'releases'] as const) changes[name] += differs[name] ? 1 : 0
    return differs.price || differs.stock || differs.releases
  }

  return {
    destination,
    changes,
    has: (id) => known.has(id),
    add(product) {
      const before = known.get(product.id)
      if (before === undefined) return void (changes.added += 1)
      matched += 1
      const { facts, offer } = partsOf(product)
      const isOther = digestOf(facts) !== before.facts
      if (isOther) changes.facts += 1
      if (!compareOffers(before.offer, offer) && !isOther) changes.unchanged += 1
    },
    change(change) {
      const before = known.get(change.id)
      if (before === undefined) return
      matched += 1
      if (!compareOffers(before.offer, changedOffer(before.offer, change))) changes.unchanged += 1
    },
    removed,
    removesTooMany: () => !isExample && removed() > known.size * REMOVED_SHARE_MAX,
  }
}

export function described({ changes, destination }: Comparison, removed: number): string {
  const { added, facts, price, releases, stock, unchanged } = changes
  const parts = [
    `${added} added`,
    `${removed} removed`,
    `${facts} with other facts`,
    `${price} with another price`,
    `${stock} with other stock`,
    `${releases} with other release dates`,
    `${unchanged} unchanged`,
  ]
  return `${destination.name}: ${parts.join(', ')}`
}
