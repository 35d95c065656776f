// A product as a shopper sees it on a card. Price and stock are those of the moment of the answer.
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
  why: Type.Optional(Type.String()),
})
export type ProductCard = Static<typeof ProductCard>
