// The catalogue: what the store sells now. Prices and stock in an answer are read from here when it is given, never from a
// model's memory.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'

export interface ProductStore {
  /** In the order of `ids`, without unknown ones. */
  byIds(ids: readonly string[]): Promise<readonly Product[]>
  /** In the order of their ids. */
  page(afterId: string, limit: number): Promise<readonly Product[]>
  count(): Promise<number>
  /** Replaces the whole catalogue by these products, in one step. `source` says where they came from. */
  replaceAll(products: readonly Product[], source: string): Promise<void>
  /** The current edition; undefined before the first products were stored. */
  edition(): Promise<Edition | undefined>
}

export interface Edition {
  /** Rises with every change of the catalogue: data derived from an earlier version is stale. */
  readonly version: number
  readonly source: string
}
