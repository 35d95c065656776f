// The catalogue: what the store sells now. Prices and stock in an answer are read from here when it is given, never from a
// model's memory. A new edition is written beside the current one and takes its place in one step.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ProductOffer, OfferChange } from '@mangaassist/bookseller/catalogue/offer'

export interface ProductStore {
  /** In the order of `ids`, without unknown ones. */
  byIds(ids: readonly string[]): Promise<readonly Product[]>
  /** In the order of their ids. */
  page(afterId: string, limit: number): Promise<readonly Product[]>
  /** What `page` returns, with a digest in place of the facts. */
  outlines(afterId: string, limit: number): Promise<readonly ProductOutline[]>
  count(): Promise<number>
  /** Replaces the whole catalogue by these products, in one step. `source` says where they came from. */
  replaceAll(products: readonly Product[], source: string): Promise<void>
  /** The current edition; undefined before the first products were stored. */
  edition(): Promise<Edition | undefined>
  /** The imported FAQ; undefined when none was imported. */
  faq(): Promise<readonly FaqEntry[] | undefined>
  /** Begins the next edition; an unfinished one is discarded. The current one is used until it is published. */
  begin(): Promise<NextEdition>
  /** Changes prices, stock, dates and the FAQ in one step, without a new version; unknown ids are ignored. */
  changeOffers(changes: readonly OfferChange[], published: Published): Promise<Edition>
}

export interface NextEdition {
  /** The ids must be new to this edition. */
  add(products: readonly Product[]): Promise<void>
  /** How many products of the current edition are not in this one. */
  removals(): Promise<number>
  /** Takes the place of the current edition. */
  publish(published: Published): Promise<Edition>
  discard(): Promise<void>
}

export interface Published {
  readonly source: string
  /** Replaces the FAQ; absent: it stays. */
  readonly faq?: readonly FaqEntry[]
}

export interface Edition {
  /** Rises when products or facts change: data derived from an earlier version is stale. */
  readonly version: number
  /** Rises when prices, stock, dates or the FAQ change within a version. */
  readonly offers: number
  readonly source: string
  /** By content, prices and stock included: the same on every node with the same catalogue and FAQ. */
  readonly digest: string
  /** The same without prices, stock and dates. */
  readonly factsDigest: string
}

export interface ProductOutline {
  readonly id: string
  /** A digest of the product without its offer. */
  readonly facts: string
  readonly offer: ProductOffer
}
