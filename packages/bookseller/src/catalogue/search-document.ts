// The text by which a product or an FAQ entry is found: its names, which weigh most, and the rest of its text. Every
// search adapter indexes these documents, so that all find the same.
import type { FaqEntry, Product } from './catalogue.ts'

export interface SearchDocument {
  readonly kind: 'product' | 'faq'
  readonly id: string
  readonly names: readonly string[]
  readonly text: string
}

export function productDocument(product: Product): SearchDocument {
  const { title, author, magazine, synopsis } = product
  const text = [
    author?.ja,
    author?.en,
    magazine?.ja,
    magazine?.en,
    product.demographic,
    ...product.genres,
    ...product.moods,
    synopsis?.ja,
    synopsis?.en,
  ]
  return {
    kind: 'product',
    id: product.id,
    names: [title.ja, title.en, title.romaji, ...product.aliases],
    text: text.filter((part) => part !== undefined).join('\n'),
  }
}

export function faqDocument(entry: FaqEntry): SearchDocument {
  const { questions, keywords, answer } = entry
  return {
    kind: 'faq',
    id: entry.id,
    names: [...questions.ja, ...questions.en, ...keywords.ja, ...keywords.en],
    text: `${answer.ja}\n${answer.en}`,
  }
}

/** The text of a product for an embedder: its attributes as `kind:value`, and its synopses. */
export function meaningText(product: Product): string {
  const { genres, moods, demographic, firstYear, author, magazine, synopsis } = product
  const compact = (text: string) => text.replaceAll(/\s/gu, '_')
  return [
    ...attributeWords({ genres, moods }),
    ...(demographic === undefined ? [] : [`for:${demographic}`]),
    ...(firstYear === undefined ? [] : [`decade:${Math.floor(firstYear / 10) * 10}`]),
    ...(author === undefined ? [] : [`author:${compact(author.ja)}`]),
    ...(magazine === undefined ? [] : [`magazine:${compact(magazine.ja)}`]),
    ...(synopsis === undefined ? [] : [synopsis.ja, synopsis.en]),
  ].join(' ')
}

export function attributeWords(wish: {
  readonly genres: readonly string[]
  readonly moods: readonly string[]
}): readonly string[] {
  return [...wish.genres.map((genre) => `genre:${genre}`), ...wish.moods.map((mood) => `mood:${mood}`)]
}
