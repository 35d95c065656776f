// The shop of all simulated nodes: products, FAQ, search and understanding. Opened once and shared by any number of runs: the hits of
// a query never change, so each query runs once. A run can slow the search down.
import { memoryProductStore } from '@mangaassist/server/adapters/memory/product-store'
import { memorySearch } from '@mangaassist/server/adapters/memory/search'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import type { SystemPrompts } from '@mangaassist/server/domain/prompt/system-prompts'
import { NEVER } from '@mangaassist/server/lib/async/never'
import { readVectors } from '@mangaassist/server/wiring/bundled-data'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { ProductStore } from '@mangaassist/server/ports/product-store/port'
import type { Search, SearchHit } from '@mangaassist/server/ports/search/port'
import { readUnderstanding } from '@mangaassist/server/wiring/bundled-data'
import { readPrompts } from '@mangaassist/server/wiring/prompts'

export interface Shop {
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly search: Search
  readonly understanding: UnderstandingModel
  readonly prompts: SystemPrompts
}

const FOUND_MAX = 5000
/** A small part of the shop: every node reads all of it at start, and its size does not matter to a load test. */
const PRODUCTS_MAX = 16
const FAQ_MAX = 2

export async function openShop(products: readonly Product[], allFaq: readonly FaqEntry[]): Promise<Shop> {
  const shelves = memoryProductStore()
  await shelves.replaceAll(products.slice(0, PRODUCTS_MAX), 'fleet')
  const faq = allFaq.slice(0, FAQ_MAX)
  const search = memorySearch({ products: shelves, faq, vectors: await readVectors() })
  const found = new Map<string, Promise<readonly SearchHit[]>>()
  return {
    products: shelves,
    faq,
    understanding: await readUnderstanding(),
    prompts: await readPrompts(),
    search: {
      ...search,
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
 * The same search with the current latency `delayMs`, at least 1 ms: a cached result needs fewer promise callbacks than
 * a new one, and the order of events within a millisecond must not depend on earlier runs.
 */
export function slowSearch(search: Search, clock: Clock, delayMs: () => number): Search {
  return {
    ...search,
    async find(query, signal) {
      const hits = search.find(query, signal)
      // The caller may give up during the sleep; then the rejection has no other handler.
      hits.catch(() => {})
      await clock.sleep(Math.max(1, delayMs()), signal)
      return hits
    },
  }
}
