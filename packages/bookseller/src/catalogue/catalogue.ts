// The schemas of a product and of an FAQ entry, as in the data files and in memory.
import Type from 'typebox'
import type { Static } from 'typebox'
import type { Language, ProductCard } from '@mangaassist/protocol'

const Text = Type.String({ minLength: 1 })
const Bilingual = Type.Object({ ja: Text, en: Text })

export const Product = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  title: Type.Object({ ja: Text, en: Text, romaji: Text }),
  aliases: Type.Array(Text),
  author: Bilingual,
  magazine: Bilingual,
  demographic: Type.Enum(['shounen', 'shoujo', 'seinen', 'josei', 'kodomo']),
  genres: Type.Array(Text, { minItems: 1 }),
  moods: Type.Array(Text, { minItems: 1 }),
  firstYear: Type.Integer({ minimum: 1900, maximum: 2100 }),
  volumes: Type.Integer({ minimum: 1 }),
  status: Type.Enum(['completed', 'running', 'hiatus']),
  synopsis: Bilingual,
  pricePerVolumeYen: Type.Integer({ minimum: 1 }),
  stock: Type.Integer({ minimum: 0 }),
})
export type Product = Static<typeof Product>

export const FaqEntry = Type.Object({
  id: Text,
  topic: Text,
  questions: Type.Object({ ja: Type.Array(Text, { minItems: 1 }), en: Type.Array(Text, { minItems: 1 }) }),
  keywords: Type.Object({ ja: Type.Array(Text), en: Type.Array(Text) }),
  answer: Bilingual,
})
export type FaqEntry = Static<typeof FaqEntry>

/** The most series that search and answers can use; the vectors of so many are scanned in a few milliseconds. */
export const SHELF_PRODUCTS_MAX = 10_000

export function toCard(product: Product, language: Language, why?: string): ProductCard {
  return {
    id: product.id,
    title: { ja: product.title.ja, en: product.title.en },
    author: product.author[language],
    authors: { ja: product.author.ja, en: product.author.en },
    volumes: product.volumes,
    status: product.status,
    pricePerVolumeYen: product.pricePerVolumeYen,
    stock: product.stock,
    url: `/series/${product.id}`,
    genres: product.genres,
    ...(why === undefined ? {} : { why }),
  }
}
