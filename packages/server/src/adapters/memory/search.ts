// Search over the current catalogue in memory: for tests, simulations and commands, and the oracle of the others. It
// builds its index again for every edition, unless another search of this process has built the same one.
import { searchShelf } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { RankParts } from '@mangaassist/bookseller/retrieval/rank'
import { memoryShelf } from '@mangaassist/bookseller/retrieval/memory-shelf'
import type { TermIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { currentOffers } from '#ports/search/current-offers.ts'
import type { CurrentOffers } from '#ports/search/current-offers.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import { meaningFor } from '#ports/search/meaning-for.ts'
import type { Search } from '#ports/search/port.ts'
import type { ShelfSource } from '#ports/search/shelf-source.ts'

export interface MemorySearchOptions {
  readonly products: Pick<ProductStore, 'page' | 'outlines' | 'edition'>
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
}

interface Indexed {
  readonly facts: string
  readonly parts: RankParts
  readonly texts: TermIndex
  readonly offers: CurrentOffers
}

/** The newest shelves, by what they were built from: most stores of a process have the same products. */
const shelves = new Map<string, ReturnType<typeof memoryShelf>>()
const SHELVES_MAX = 4

export function memorySearch({ products, vectors, embeddings }: MemorySearchOptions): Search & ShelfSource {
  let known: { readonly version: number; readonly indexed: Promise<Indexed> } | undefined

  async function current(): Promise<Indexed> {
    const edition = await products.edition()
    const version = edition?.version ?? 0
    if (known?.version !== version) {
      const built = indexed(edition?.factsDigest ?? 'empty')
      known = { version, indexed: built }
      // A failed build is not cached: the next question tries again.
      built.catch(() => (known = undefined))
    }
    const found = await known.indexed
    await found.offers.follow(edition)
    return found
  }

  async function indexed(facts: string): Promise<Indexed> {
    const { shelf, texts } = await shelfOf(facts)
    const offers = await currentOffers(products, shelf)
    return { facts, parts: { shelf, vectors, offerOf: offers.of }, texts, offers }
  }

  async function shelfOf(facts: string): Promise<ReturnType<typeof memoryShelf>> {
    const key = `${facts} ${vectors.digest}`
    const built = shelves.get(key) ?? memoryShelf(await allProducts(products), vectors)
    shelves.delete(key)
    shelves.set(key, built)
    if (shelves.size > SHELVES_MAX) for (const oldest of [...shelves.keys()].slice(0, 1)) shelves.delete(oldest)
    return built
  }

  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const { parts, texts } = await current()
      const embedded = await meaningFor(embeddings, query, parts.shelf)
      signal.throwIfAborted()
      const { question, ranked } = searchShelf({ ...parts, embedded }, query, texts)
      return ranked.map(({ id, number, score, reasons }) => ({
        id,
        score,
        matched: texts.matched(number, question.terms),
        reasons,
      }))
    },
    async explain(query, signal) {
      signal.throwIfAborted()
      const { parts, texts } = await current()
      const embedded = await meaningFor(embeddings, query, parts.shelf)
      return searchShelf({ ...parts, embedded }, query, texts)
    },
    async refresh() {
      await current()
    },
    async current() {
      const { facts, offers, parts, texts } = await current()
      return { facts, shelf: parts.shelf, offerOf: offers.of, matched: texts.matched }
    },
  }
}
