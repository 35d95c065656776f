// Finds what the store knows about a question: products and FAQ entries, best first. What the shopper wishes for
// has been read out of the words already; the words themselves are searched as well.
import type { Language } from '@mangaassist/protocol'
import type { Wish } from '@mangaassist/bookseller/understanding/ask'

export interface SearchQuery {
  readonly text: string
  readonly language: Language
  readonly limit: number
  readonly wish?: Wish
  /** Ids of series that the products should resemble; they are not found themselves. */
  readonly like?: readonly string[]
  /** Ids of products that are not wanted again. */
  readonly exclude?: readonly string[]
}

export interface SearchHit {
  readonly kind: 'product' | 'faq'
  readonly id: string
  /** Comparable within one answer and one kind only; higher is better. */
  readonly score: number
  /** How much of what was written stands in it, from 0 (found by its meaning alone) to 1. */
  readonly matched: number
}

export interface Search {
  /** At most `limit` of each kind. What the wish's filters rule out is not found. */
  find(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
}
