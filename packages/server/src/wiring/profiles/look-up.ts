// Product lookup without a server: products and FAQ in memory, and the retrieval that a turn uses. Nothing is locked or written.
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memorySearch } from '#adapters/memory/search.ts'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { createLexicon, createLookUp, createWordSearch } from '#app/app.ts'
import type { LookUp, WordSearch } from '#app/app.ts'
import { defaults } from '#config/config.ts'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { Search } from '#ports/search/port.ts'
import type { EmbeddingsWiring } from '../embedder/open-embeddings.ts'
import type { EngineWiring } from '../search/open-search-engine.ts'
import { readCatalogue, readFaq, readFaqWeights, readUnderstanding, readVectors } from '../bundled-data.ts'

export type { LookUp }

export interface LookUpWiring {
  /** The folder with the catalogue; if absent, or without a catalogue, the bundled one is used. */
  readonly dataDir?: string
  /** Opens the embedder over the products and the FAQ; absent: words are compared. */
  readonly openEmbeddings?: (over: EmbeddedContent) => Promise<(Embeddings & Disposable) | undefined>
  /** Opens the search engine; absent: the products in memory are searched. */
  readonly openEngine?: (over: EngineContent) => Promise<(Search & Disposable) | undefined>
}

/** What a search engine is put in front of. */
export type EngineContent = Pick<EngineWiring, 'products' | 'vectors' | 'embeddings' | 'own'>
export type EmbeddedContent = Pick<EmbeddingsWiring, 'products' | 'faq'>

export async function wireLookUp(wiring: LookUpWiring = {}): Promise<LookUp> {
  return (await wireSearches(wiring)).lookUp
}

export interface Searches extends Disposable {
  /** As a turn of the chat finds. */
  readonly lookUp: LookUp
  /** As the search box finds, with an explanation. */
  readonly words: WordSearch
  readonly products: readonly Product[]
  /** What gives the meaning score, where an embedder is configured. */
  readonly embeddings?: Pick<Embeddings, 'model' | 'status'> | undefined
}

export async function wireSearches({ dataDir, openEmbeddings, openEngine }: LookUpWiring = {}): Promise<Searches> {
  const stored = dataDir === undefined ? { products: [] } : await readStoredProducts(dataDir)
  const faq = stored.faq ?? (await readFaq())
  const products = memoryProductStore()
  await products.replaceAll(stored.products.length > 0 ? stored.products : (await readCatalogue()).products, 'look-up')
  const vectors = await readVectors()
  const understanding = await readUnderstanding(vectors)
  const faqWeights = await readFaqWeights()
  const embeddings = await openEmbeddings?.({ products, faq: () => faq })
  await embeddings?.survey()
  const own = memorySearch({ products, vectors, embeddings })
  const engine = await openEngine?.({ products, vectors, embeddings, own })
  const search = engine ?? own
  const known = { products, faq, vectors, faqWeights }
  return {
    lookUp: createLookUp({ ...known, search, understanding, embeddings, contact: defaults.store.contact }),
    words: createWordSearch({ search, products, lexicon: createLexicon(known), understanding }),
    products: await allProducts(products),
    embeddings,
    [Symbol.dispose]() {
      engine?.[Symbol.dispose]()
      embeddings?.[Symbol.dispose]()
    },
  }
}
