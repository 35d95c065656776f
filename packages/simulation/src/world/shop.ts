// The shop of all simulated nodes: products, FAQ, search and understanding. Opened once and shared by any number of runs: the hits
// of a query never change, so each query runs once. A run can slow the search down. One series has a new volume on the day
// after the run begins.
import { memoryProductStore } from '@mangaassist/server/adapters/memory/product-store'
import { memorySearch } from '@mangaassist/server/adapters/memory/search'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { releaseQuestions } from '@mangaassist/bookseller/catalogue/release-questions'
import type { ComplexityModel } from '@mangaassist/bookseller/understanding/complexity/model'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import type { SystemPrompts } from '@mangaassist/server/domain/prompt/system-prompts'
import { NEVER } from '@mangaassist/server/lib/async/never'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { ProductStore } from '@mangaassist/server/ports/product-store/port'
import type { Search, SearchHit } from '@mangaassist/server/ports/search/port'
import { readComplexity, readUnderstanding, readVectors } from '@mangaassist/server/wiring/bundled-data'
import { readPrompts } from '@mangaassist/server/wiring/prompts'

export interface Shop {
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly search: Search
  readonly understanding: UnderstandingModel
  readonly complexity: ComplexityModel
  readonly prompts: SystemPrompts
  /** What shoppers ask about the new volume: the questions of a prewarm, and as many others. */
  readonly newVolumeQuestions: readonly string[]
}

const FOUND_MAX = 5000
/** A small part of the shop: every node reads all of it at start, and its size does not matter to a load test. */
const PRODUCTS_MAX = 16
const FAQ_MAX = 2
/** In Tokyo, where a run begins on the day before (`STARTS_AT`). */
const RELEASE_DATE = '2026-09-22'

export async function openShop(products: readonly Product[], allFaq: readonly FaqEntry[]): Promise<Shop> {
  const shelves = memoryProductStore()
  const { shelf, released } = withRelease(products.slice(0, PRODUCTS_MAX))
  await shelves.replaceAll(shelf, 'fleet')
  const faq = allFaq.slice(0, FAQ_MAX)
  const vectors = await readVectors()
  const search = memorySearch({ products: shelves, vectors })
  const found = new Map<string, Promise<readonly SearchHit[]>>()
  return {
    products: shelves,
    faq,
    understanding: await readUnderstanding(vectors),
    complexity: await readComplexity(),
    prompts: await readPrompts(),
    newVolumeQuestions: released === undefined ? [] : newVolumeQuestions(released),
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

/** The first series that is still running gets a new volume. */
function withRelease(products: readonly Product[]): {
  readonly shelf: readonly Product[]
  readonly released: Product | undefined
} {
  const found = products.find(({ status }) => status === 'running') ?? products[0]
  if (found === undefined) return { shelf: products, released: undefined }
  const released = { ...found, releases: [{ volume: found.volumes, date: RELEASE_DATE }] }
  return { shelf: products.map((product) => (product === found ? released : product)), released }
}

/** Half of the shoppers who ask about a new volume ask what no prewarm has asked. */
function newVolumeQuestions(product: Product): readonly string[] {
  const { en, ja } = product.title
  const { volumes: volume } = product
  const prewarmed = releaseQuestions([{ product, release: { volume } }]).map(({ message }) => message)
  const others = [
    `${ja}は何巻まで出てますか`,
    `${ja}は全巻でいくらですか`,
    `${ja}は完結していますか`,
    `${ja}の次の巻はいつ？`,
    `${ja} ${volume}巻に特典はありますか`,
    `${ja} ${volume}巻は何ページ？`,
    `${ja}の新刊の表紙は誰？`,
    `How many volumes of ${en} are there?`,
    `Is ${en} finished?`,
    `How much is the whole set of ${en}?`,
    `When is the next volume of ${en}?`,
    `Does the new ${en} come with an extra?`,
    `How many pages does ${en} ${volume} have?`,
    `Who is on the cover of the new ${en}?`,
  ]
  return [...prewarmed, ...others]
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
