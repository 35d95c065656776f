// The shelves: what the store sells now. Prices and stock in an answer come from here when it is given,
// never from a model's memory.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'

export interface ProductStore {
  /** In the order of `ids`, leaving out the unknown. */
  byIds(ids: readonly string[]): Promise<readonly Product[]>
  /** In the order of their ids. */
  page(afterId: string, limit: number): Promise<readonly Product[]>
  count(): Promise<number>
  /** Makes the shelves hold exactly these products, at once. `source` says where they came from. */
  replaceAll(products: readonly Product[], source: string): Promise<void>
  /** Which shelves these are; undefined before the first products came. */
  edition(): Promise<Edition | undefined>
}

export interface Edition {
  /** Rises with every change of the shelves: what was derived from an earlier one is stale. */
  readonly version: number
  readonly source: string
}
