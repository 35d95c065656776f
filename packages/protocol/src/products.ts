// A product as a shopper sees it: on a card, on the shelves, on a page of its own. Price and stock are those of the
// moment of the answer.
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
  /** In the language of the answer. */
  author: Type.String(),
  volumes: Count,
  status: PublicationStatus,
  pricePerVolumeYen: Count,
  stock: Count,
  url: Type.String(),
  /** Keys of the catalogue, such as `slice-of-life`. */
  genres: Type.Array(Type.String()),
  why: Type.Optional(Type.String()),
})
export type ProductCard = Static<typeof ProductCard>

/** A card on the shelves, with what the shelves are sorted into. */
export const ProductItem = Type.Object({
  ...ProductCard.properties,
  demographic: Type.String(),
})
export type ProductItem = Static<typeof ProductItem>

/** A series on a page of its own; every text in the language that was asked for. */
export const ProductDetail = Type.Object({
  ...ProductItem.properties,
  romaji: Type.String(),
  magazine: Type.String(),
  moods: Type.Array(Type.String()),
  firstYear: Count,
  synopsis: Type.String(),
  /** How to call the keys, in the same order. */
  labels: Type.Object({
    genres: Type.Array(Type.String()),
    moods: Type.Array(Type.String()),
    demographic: Type.String(),
  }),
  /** Nearest first. */
  similar: Type.Array(ProductCard),
})
export type ProductDetail = Static<typeof ProductDetail>
