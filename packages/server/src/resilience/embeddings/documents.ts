// The documents that are embedded: the passages of each series, and the questions and answers of each FAQ entry. A document is named
// by its id and a digest of its facts, so that one that is unchanged is recognised without reading it.
import { createHash } from 'node:crypto'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { coarseOf, fieldByte } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import { passagesOf } from '@mangaassist/bookseller/retrieval/passages'
import { digestOf } from '#domain/catalogue/digests.ts'
import type { VectorDocument } from '#ports/vector-store/port.ts'

export interface DocumentTexts {
  readonly id: string
  readonly facts: string
  readonly fields: Uint8Array
  readonly texts: readonly string[]
  readonly hashes: readonly string[]
}

/** No id of a product has a slash. */
const FAQ = 'faq/'
/** Every vendor takes so much; more of one text adds nothing. */
const TEXT_LENGTH_MAX = 2000
/** A vendor refuses an empty text, and passages are counted by their place. */
const EMPTY_TEXT = '-'

export const faqDocumentId = (id: string): string => `${FAQ}${id}`
export const isFaqDocument = (id: string): boolean => id.startsWith(FAQ)

export function seriesTexts(product: Product, facts: string): DocumentTexts {
  const passages = passagesOf(product)
  return {
    id: product.id,
    facts,
    fields: Uint8Array.from(passages, fieldByte),
    ...hashed(passages.map(({ text }) => text)),
  }
}

export function faqTexts(entry: FaqEntry): DocumentTexts {
  const { questions, answer } = entry
  const texts = [...questions.ja, ...questions.en, answer.ja, answer.en]
  return {
    id: faqDocumentId(entry.id),
    facts: digestOf(texts),
    // All count alike: the first field has the factor 1.
    fields: new Uint8Array(texts.length),
    ...hashed(texts),
  }
}

/** `vectorOf` returns the vector of a text by its hash. */
export function vectorDocument(
  { id, facts, fields, hashes }: DocumentTexts,
  dimensions: number,
  vectorOf: (hash: string) => Int8Array,
): VectorDocument {
  const vectors = new Int8Array(hashes.length * dimensions)
  for (const [place, hash] of hashes.entries()) vectors.set(vectorOf(hash), place * dimensions)
  return { id, facts, fields, hashes, vectors, coarse: coarseOf(vectors, dimensions) }
}

export function embeddedText(text: string): string {
  const cut = text.trim().slice(0, TEXT_LENGTH_MAX)
  return cut === '' ? EMPTY_TEXT : cut
}

function hashed(all: readonly string[]): Pick<DocumentTexts, 'texts' | 'hashes'> {
  const texts = all.map(embeddedText)
  return { texts, hashes: texts.map((text) => createHash('sha256').update(text).digest('base64url')) }
}
