// The shelf and the full text of products in memory.
import type { Product } from '../catalogue/catalogue.ts'
import { productDocument } from '../catalogue/search-document.ts'
import { shelfEntry } from './shelf-entry.ts'
import { ShelfBuilder } from './shelf.ts'
import type { Shelf } from './shelf.ts'
import { termIndex } from './term-index.ts'
import type { TermIndex } from './term-index.ts'
import type { WordVectors } from './word-vectors.ts'

export function memoryShelf(
  products: readonly Product[],
  vectors: WordVectors,
): { readonly shelf: Shelf; readonly texts: TermIndex } {
  const entries = products.map((product) => shelfEntry(product, vectors))
  const builder = new ShelfBuilder(vectors.dimensions)
  for (const entry of entries) builder.add(entry, entry.vector)
  return { shelf: builder.shelf((product) => entries[product]!), texts: termIndex(products.map(productDocument)) }
}
