// Product lookup without a server: products and FAQ in memory, and the retrieval that a turn uses. Nothing is locked or written.
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memorySearch } from '#adapters/memory/search.ts'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { createLexicon, createLookUp, createWordSearch } from '#app/app.ts'
import type { LookUp, WordSearch, WordsFound } from '#app/app.ts'
import { defaults } from '#config/config.ts'
import { allProducts } from '#ports/product-store/each-product.ts'
import { readCatalogue, readFaq, readFaqWeights, readUnderstanding, readVectors } from '../bundled-data.ts'

export type { LookUp, WordsFound }

export interface LookUpWiring {
  /** The folder with the catalogue; if absent, or without a catalogue, the bundled one is used. */
  readonly dataDir?: string
}

export async function wireLookUp(wiring: LookUpWiring = {}): Promise<LookUp> {
  return (await wireSearches(wiring)).lookUp
}

export interface Searches {
  /** As a turn of the chat finds. */
  readonly lookUp: LookUp
  /** As the search box finds, with an explanation. */
  readonly words: WordSearch
  readonly products: readonly Product[]
}

export async function wireSearches({ dataDir }: LookUpWiring = {}): Promise<Searches> {
  const stored = dataDir === undefined ? { products: [] } : await readStoredProducts(dataDir)
  const faq = stored.faq ?? (await readFaq())
  const products = memoryProductStore()
  await products.replaceAll(stored.products.length > 0 ? stored.products : (await readCatalogue()).products, 'look-up')
  const understanding = await readUnderstanding()
  const vectors = await readVectors()
  const faqWeights = await readFaqWeights()
  const search = memorySearch({ products, vectors })
  return {
    lookUp: createLookUp({
      products,
      faq,
      search,
      understanding,
      vectors,
      faqWeights,
      contact: defaults.store.contact,
    }),
    words: createWordSearch({
      search,
      products,
      lexicon: createLexicon({ products, faq, vectors, faqWeights }),
      understanding,
    }),
    products: await allProducts(products),
  }
}
