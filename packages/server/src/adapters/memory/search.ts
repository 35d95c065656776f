// Search over the current catalogue and the FAQ in memory: for tests, simulations and commands, and the oracle of the others. It
// builds its index again for every edition.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { searchShelf } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { RankParts } from '@mangaassist/bookseller/retrieval/rank'
import { memoryShelf } from '@mangaassist/bookseller/retrieval/memory-shelf'
import { termIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { TermIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { currentOffers } from '#ports/search/current-offers.ts'
import type { CurrentOffers } from '#ports/search/current-offers.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import { meaningFor } from '#ports/search/meaning-for.ts'
import type { Search } from '#ports/search/port.ts'

export interface MemorySearchOptions {
  readonly products: Pick<ProductStore, 'page' | 'outlines' | 'edition'>
  readonly faq: readonly FaqEntry[]
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
}

interface Indexed {
  readonly version: number
  readonly parts: RankParts
  readonly texts: TermIndex
  readonly offers: CurrentOffers
}

export function memorySearch({ products, faq, vectors, embeddings }: MemorySearchOptions): Search {
  const questions = termIndex(faq.map(faqDocument))
  let known: { readonly version: number; readonly indexed: Promise<Indexed> } | undefined

  async function current(): Promise<Indexed> {
    const edition = await products.edition()
    const version = edition?.version ?? 0
    if (known?.version !== version) {
      const built = indexed(version)
      known = { version, indexed: built }
      // A failed build is not cached: the next question tries again.
      built.catch(() => (known = undefined))
    }
    const found = await known.indexed
    await found.offers.follow(edition)
    return found
  }

  async function indexed(version: number): Promise<Indexed> {
    const all = await allProducts(products)
    const { shelf, texts } = memoryShelf(all, vectors)
    const offers = await currentOffers(products, shelf)
    return { version, parts: { shelf, vectors, offerOf: offers.of }, texts, offers }
  }

  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const { parts, texts } = await current()
      const embedded = await meaningFor(embeddings, query, parts.shelf)
      signal.throwIfAborted()
      const { question, ranked } = searchShelf({ ...parts, embedded }, query, texts)
      return [
        ...ranked.map(({ id, score }) => ({
          kind: 'product' as const,
          id,
          score,
          matched: texts.matched(parts.shelf.numberOf(id) ?? -1, question.terms),
        })),
        ...questions
          .find(question.terms)
          .slice(0, query.limit)
          .map(({ product, score }) => ({
            kind: 'faq' as const,
            id: faq[product]?.id ?? '',
            score,
            matched: questions.matched(product, question.terms),
          })),
      ]
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
  }
}
