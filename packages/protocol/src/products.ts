// A product as a shopper sees it: on a card, in a list, on its own page. Price and stock are those at the time of the
// response.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count, Localized } from './vocabulary.ts'

export const PublicationStatus = Type.Union([
  Type.Literal('completed'),
  Type.Literal('running'),
  Type.Literal('hiatus'),
])
export type PublicationStatus = Static<typeof PublicationStatus>

export const ProductCard = Type.Object({
  id: Type.String(),
  title: Localized,
  /** The name in the language of the answer; absent when the shop does not know it. */
  author: Type.Optional(Type.String()),
  /** The name in both languages, for a card that stays when the language of the interface changes. */
  authors: Type.Optional(Localized),
  volumes: Count,
  status: Type.Optional(PublicationStatus),
  pricePerVolumeYen: Count,
  /** The price of all volumes together; volumes may differ in price. */
  totalYen: Type.Optional(Count),
  stock: Count,
  url: Type.String(),
  /** Keys of genres in the catalogue, such as `slice-of-life`; may be empty. */
  genres: Type.Array(Type.String()),
  why: Type.Optional(Type.String()),
})
export type ProductCard = Static<typeof ProductCard>

/** A card in the list of products, which can be filtered by `demographic` and `age`. */
export const ProductItem = Type.Object({
  ...ProductCard.properties,
  demographic: Type.Optional(Type.String()),
  /** The age from which it is suitable, as far as the shop knows. */
  age: Type.Optional(Count),
})
export type ProductItem = Static<typeof ProductItem>

/**
 * `popular`: named most often as similar to other series of the catalogue, which is not a measure of sales; `new`: the series that
 * began last; `title`: by reading; `price`: the cheapest volume first; `length`: the fewest volumes first.
 */
export const ProductSort = Type.Enum(['popular', 'new', 'title', 'price', 'length'])
export type ProductSort = Static<typeof ProductSort>

/** A volume and the day on which it comes out, `YYYY-MM-DD`. */
export const Release = Type.Object({ volume: Count, date: Type.String() })
export type Release = Static<typeof Release>

/** Price and stock of one volume where they differ from those of the series. */
export const VolumeOffer = Type.Object({
  volume: Count,
  priceYen: Type.Optional(Count),
  stock: Type.Optional(Count),
})
export type VolumeOffer = Static<typeof VolumeOffer>

/** A series with its data, as far as the shop knows them; every text is in the requested language. */
export const ProductDetail = Type.Object({
  ...ProductItem.properties,
  romaji: Type.String(),
  magazine: Type.Optional(Type.String()),
  moods: Type.Array(Type.String()),
  firstYear: Type.Optional(Count),
  lastYear: Type.Optional(Count),
  publisher: Type.Optional(Type.String()),
  synopsis: Type.Optional(Type.String()),
  /** For whom it is, in a sentence. */
  lovedBy: Type.Optional(Type.String()),
  readingOrder: Type.Optional(Type.String()),
  /** Absent: every volume has the price and the stock of the series. */
  volumeOffers: Type.Optional(Type.Array(VolumeOffer)),
  /** Volumes that came out or will, as far as the shop knows; the earliest first. */
  releases: Type.Optional(Type.Array(Release)),
  /** The names of the keys, in the same order. */
  labels: Type.Object({
    genres: Type.Array(Type.String()),
    moods: Type.Array(Type.String()),
    demographic: Type.Optional(Type.String()),
  }),
  /** The most similar first. */
  similar: Type.Array(ProductCard),
})
export type ProductDetail = Static<typeof ProductDetail>
