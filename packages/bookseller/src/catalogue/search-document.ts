// The text by which a product is found: its names, which weigh most, and the rest of its text. Every
// search adapter indexes these documents, so that all find the same.
import { passagesOf } from '../retrieval/passages.ts'
import type { Product } from './catalogue.ts'

export interface SearchDocument {
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
