// Finds what the store knows about a question: products and FAQ entries, best first.
import type { Language } from '@mangaassist/protocol'

export interface SearchQuery {
  readonly text: string
  readonly language: Language
  readonly limit: number
}

export interface SearchHit {
  readonly kind: 'product' | 'faq'
  readonly id: string
  /** Comparable within one answer only; higher is better. */
  readonly score: number
}

export interface Search {
  find(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
}
