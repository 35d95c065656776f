// Product lookup without a server: products and FAQ in memory, and the retrieval that a turn uses. Nothing is locked or written.
import { learnEmbedder } from '#adapters/embedded/embedder.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memorySearch } from '#adapters/memory/search.ts'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import { createLookUp } from '#app/app.ts'
import type { LookUp } from '#app/app.ts'
import { defaults } from '#config/config.ts'
import { readCatalogue, readFaq, readUnderstanding } from '../bundled-data.ts'

export type { LookUp }

export interface LookUpWiring {
  /** The folder with the catalogue; if absent, or without a catalogue, the bundled one is used. */
  readonly dataDir?: string
}

export async function wireLookUp({ dataDir }: LookUpWiring = {}): Promise<LookUp> {
  const stored = dataDir === undefined ? { products: [] } : await readStoredProducts(dataDir)
  const faq = stored.faq ?? (await readFaq())
  const products = memoryProductStore()
  await products.replaceAll(stored.products.length > 0 ? stored.products : (await readCatalogue()).products, 'look-up')
  return createLookUp({
    products,
    faq,
    search: memorySearch({ products, faq, learn: learnEmbedder }),
    understanding: await readUnderstanding(),
    contact: defaults.store.contact,
  })
}
