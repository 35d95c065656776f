// The shelf that a node holds itself: what its ranking reads, whatever chose the products that are ranked.
import type { Shelf, ShelfOffer } from '@mangaassist/bookseller/retrieval/shelf'

export interface CurrentShelf {
  /** The digest of the edition's facts: the same on every node with the same products. */
  readonly facts: string
  readonly shelf: Shelf
  readonly offerOf: (product: number) => ShelfOffer
  /** The share of the terms that a product has. */
  matched(product: number, terms: readonly string[]): number
}

export interface ShelfSource {
  /** The shelf of the current edition, or of an earlier one while that is indexed. */
  current(): Promise<CurrentShelf>
}
