// What changes daily about a product: price, stock, and the dates of its volumes. It is stored apart from the facts, so that a
// new price or stock needs no new search index.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Product } from './catalogue.ts'

const OFFER_FIELDS = ['pricePerVolumeYen', 'stock', 'volumeOffers', 'releases'] as const

export const ProductOffer = Type.Pick(Product, OFFER_FIELDS)
export type ProductOffer = Static<typeof ProductOffer>

/** A change of a product's offer; absent fields stay as they are. */
export const OfferChange = Type.Object({ id: Product.properties.id, ...Type.Partial(ProductOffer).properties })
export type OfferChange = Static<typeof OfferChange>

/** A product without its offer. */
export type ProductFacts = Omit<Product, keyof ProductOffer>

export function partsOf(product: Product): { readonly facts: ProductFacts; readonly offer: ProductOffer } {
  const { pricePerVolumeYen, releases, stock, volumeOffers, ...facts } = product
  const offer = {
    pricePerVolumeYen,
    stock,
    ...(volumeOffers === undefined ? {} : { volumeOffers }),
    ...(releases === undefined ? {} : { releases }),
  }
  return { facts, offer }
}

/** The offer after a change. Volumes that the change does not name keep their own price and stock. */
export function changedOffer(offer: ProductOffer, { id: _, volumeOffers, ...change }: OfferChange): ProductOffer {
  if (volumeOffers === undefined) return { ...offer, ...change }
  const byVolume = new Map((offer.volumeOffers ?? []).map((one) => [one.volume, one]))
  for (const one of volumeOffers) byVolume.set(one.volume, { ...byVolume.get(one.volume), ...one })
  return { ...offer, ...change, volumeOffers: [...byVolume.values()].toSorted((a, b) => a.volume - b.volume) }
}
