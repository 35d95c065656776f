// Finds the products for a question, best first. The wishes have already been understood from the words;
// the words themselves are searched as well.
import type { Language } from '@mangaassist/protocol'
import type { ShelfAnswer } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'

export interface SearchQuery {
  readonly text: string
  readonly language: Language
  readonly limit: number
  readonly wish?: Wish
  /** Ids of series that the products should resemble; those series themselves are not returned. */
  readonly like?: readonly string[]
  /** Ids of products to leave out. */
  readonly exclude?: readonly string[]
  /** The series that the text names, and what share of the text the name is. */
  readonly named?: readonly { readonly id: string; readonly share: number }[]
}

export interface SearchHit {
  readonly id: string
  /** Comparable only within one result; higher is better. */
  readonly score: number
  /**
   * The share of the query's words that match, from 0 (found by meaning alone) to 1. Exact for the best hits; of the others it
   * may be lower than the share, but is above 0 only where a word matches.
   */
  readonly matched: number
  /** For each language the number of the passage that says why it matches; absent or -1 when none does. */
  readonly reasons?: Readonly<Record<Language, number>>
}

export interface Search {
  /** Returns at most `limit`. Products that the filters exclude are not returned. */
  find(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
  /** How `find` chooses the products: what was searched, the parts of each score, and what excluded the next best. */
  explain(query: SearchQuery, signal: AbortSignal): Promise<ShelfAnswer>
  /** Resolves when the current edition is indexed; until then an earlier one answers. */
  refresh(): Promise<void>
}
