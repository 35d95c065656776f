// The shelves to look things up on without a server: products and FAQ in memory, and the way a turn takes to them.
// Nothing is locked or written.
import { learnEmbedder } from '#adapters/embedded/embedder.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memorySearch } from '#adapters/memory/search.ts'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import { createLookUp } from '#app/app.ts'
import type { LookUp } from '#app/app.ts'
import { readCatalogue, readFaq } from '../bundled-data.ts'

export type { LookUp }

export interface LookUpWiring {
  /** Whose shelves are looked at; without it, or while it has none, those that come with the program. */
  readonly dataDir?: string
}

export async function wireLookUp({ dataDir }: LookUpWiring = {}): Promise<LookUp> {
  const stored = dataDir === undefined ? [] : readStoredProducts(dataDir)
  const faq = await readFaq()
  const products = memoryProductStore()
  await products.replaceAll(stored.length > 0 ? stored : (await readCatalogue()).products, 'look-up')
  return createLookUp({ products, faq, search: memorySearch({ products, faq, learn: learnEmbedder }) })
}
