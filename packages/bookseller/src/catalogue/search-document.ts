// The text by which a product or an FAQ entry is found: its names, which weigh most, and the rest of its text. Every
// search adapter indexes these documents, so that all find the same.
import { passagesOf } from '../retrieval/passages.ts'
import type { FaqEntry, Product } from './catalogue.ts'

export interface SearchDocument {
  readonly kind: 'product' | 'faq'
  readonly id: string
  readonly names: readonly string[]
  readonly text: string
}

export function productDocument(product: Product): SearchDocument {
  const { title, author, writer, artist, original, magazine, publisher, demographic } = product
  const people = [author, writer, artist, original, magazine, publisher].flatMap((text) =>
    text === undefined ? [] : [text.ja, text.en],
  )
  return {
    kind: 'product',
    id: product.id,
    names: [title.ja, title.en, title.romaji, ...(title.kana === undefined ? [] : [title.kana]), ...product.aliases],
    text: [
      ...new Set(people),
      ...(demographic === undefined ? [] : [demographic]),
      ...product.genres,
      ...product.moods,
      ...passagesOf(product).map(({ text }) => text),
      ...(product.similar ?? []).flatMap(({ reason }) => [reason.ja, reason.en]),
    ].join('\n'),
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
