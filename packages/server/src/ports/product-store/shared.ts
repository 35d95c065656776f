// A catalogue that the nodes of a cluster share. Each node keeps a copy of it, which it searches and answers from, and follows the
// shared one (`resilience/products`).
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Edition, ProductStore } from './port.ts'

export interface SharedProducts extends ProductStore {
  /** The catalogue as it is now; undefined before the first products were stored. */
  snapshot(): Promise<Snapshot | undefined>
  /** Removes what nothing refers to any more: earlier editions, once no node reads them, and editions that were never published. */
  purge(): Promise<void>
}

/** A catalogue that does not change while it is read. Reading one that was replaced long ago rejects with StoreUnavailable. */
export interface Snapshot extends Pick<ProductStore, 'byIds' | 'outlines' | 'faq'> {
  readonly edition: Edition
  readonly count: number
  /** What `outlines` says of these products, in no order, without unknown ids. */
  outlinesOf(ids: readonly string[]): ReturnType<ProductStore['outlines']>
}

/** How a node with a copy stays current. Absent where the node's own catalogue is the only one. */
export interface LiveProducts {
  /**
   * These products with price, stock and details as the shop has them now, without those that it no longer sells. Never rejects: when
   * that cannot be read in time, they are returned as the node knows them.
   */
  now(products: readonly Product[]): Promise<ProductsNow>
  /** Brings the node's copy up to date. Whether the copy changed. */
  follow(): Promise<boolean>
}

export interface ProductsNow {
  readonly products: readonly Product[]
  /**
   * Present when price and stock may have changed: when they were last known to be current, in milliseconds since the epoch. Null: not
   * since this node started.
   */
  readonly asOf?: number | null
}
