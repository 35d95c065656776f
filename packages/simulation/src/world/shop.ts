// The shop that all simulated nodes sell from: its shelves, its FAQ and the search over them. Opened once and shared by any
// number of runs: what is found for a question never changes, so it is looked for once. A run can make the search slow.
import { learnEmbedder } from '@mangaassist/server/adapters/embedded/embedder'
import { memoryProductStore } from '@mangaassist/server/adapters/memory/product-store'
import { memorySearch } from '@mangaassist/server/adapters/memory/search'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { NEVER } from '@mangaassist/server/lib/async/never'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { ProductStore } from '@mangaassist/server/ports/product-store/port'
import type { Search, SearchHit } from '@mangaassist/server/ports/search/port'

export interface Shop {
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly search: Search
}

const FOUND_MAX = 5000
/** A corner of the shop: every node reads all of it when it starts, and how much there is says nothing about a storm. */
const PRODUCTS_MAX = 16
const FAQ_MAX = 2

export async function openShop(products: readonly Product[], allFaq: readonly FaqEntry[]): Promise<Shop> {
  const shelves = memoryProductStore()
  await shelves.replaceAll(products.slice(0, PRODUCTS_MAX), 'fleet')
  const faq = allFaq.slice(0, FAQ_MAX)
  const search = memorySearch({ products: shelves, faq, learn: learnEmbedder })
  const found = new Map<string, Promise<readonly SearchHit[]>>()
  return {
    products: shelves,
    faq,
    search: {
      find(query) {
        const key = JSON.stringify(query)
        const known = found.get(key)
        if (known !== undefined) return known
        const hits = search.find(query, NEVER)
        if (found.size < FOUND_MAX) found.set(key, hits)
        return hits
      },
    },
  }
}

/**
 * The same search, as far away as `delayMs` says at the moment. Never at once: what was found before comes sooner, by promises
 * alone, than what was not, and the order of things within a moment must not depend on other runs.
 */
export function slowSearch(search: Search, clock: Clock, delayMs: () => number): Search {
  return {
    async find(query, signal) {
      const hits = search.find(query, signal)
      // Whoever does not wait for it is not told.
      hits.catch(() => {})
      await clock.sleep(Math.max(1, delayMs()), signal)
      return hits
    },
  }
}
