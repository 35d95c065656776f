// Search over the index file of the current edition. A new edition is indexed beside the old one, which answers meanwhile; prices
// and stock are read from the store, not from the index.
import { existsSync } from 'node:fs'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { searchShelf } from '@mangaassist/bookseller/retrieval/shelf-search'
import { termIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { TermIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { Clock } from '#ports/clock/port.ts'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { Edition, ProductStore } from '#ports/product-store/port.ts'
import { currentOffers } from '#ports/search/current-offers.ts'
import type { CurrentOffers } from '#ports/search/current-offers.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import { meaningFor } from '#ports/search/meaning-for.ts'
import type { Search } from '#ports/search/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { buildIndexFile, indexPath, removeOtherIndexes } from './index-file.ts'
import { openIndex } from './open-index.ts'
import type { OpenIndex } from './open-index.ts'

export interface SqliteSearchOptions {
  /** For the index files alone. */
  readonly folder: string
  readonly products: Pick<ProductStore, 'page' | 'outlines' | 'edition'>
  readonly faq: () => readonly FaqEntry[]
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
  readonly clock: Pick<Clock, 'defer' | 'now'>
  readonly telemetry: Pick<Telemetry, 'log'>
}

interface Opened {
  readonly path: string
  readonly index: OpenIndex
  readonly offers: CurrentOffers
}

/** Resolves when the current edition can be searched. */
export async function sqliteSearch(options: SqliteSearchOptions): Promise<Search & Disposable> {
  const { folder, products, faq, vectors, embeddings, clock, telemetry } = options
  let opened: Opened | undefined
  let opening: { readonly path: string; readonly done: Promise<void> } | undefined
  let questions: { readonly entries: readonly FaqEntry[]; readonly index: TermIndex } | undefined

  const pathOf = (edition: Edition | undefined) => indexPath(folder, edition?.factsDigest ?? 'empty', vectors)
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))

  async function open(path: string): Promise<void> {
    if (!existsSync(path)) {
      const at = clock.now()
      await buildIndexFile(path, eachProduct(products), { vectors, pause })
      telemetry.log('info', 'search.indexed', { tookMs: clock.now() - at })
    }
    const before = opened
    const index = openIndex(path, vectors)
    opened = { path, index, offers: await currentOffers(products, index.shelf) }
    before?.index[Symbol.dispose]()
    removeOtherIndexes(folder, path)
  }

  /** Begins to open the index of the current edition, unless that is in use or in flight. */
  function begin(path: string): Promise<void> {
    if (opened?.path === path) return Promise.resolve()
    if (opening?.path !== path) {
      const done = (opening?.done ?? Promise.resolve()).catch(() => {}).then(() => open(path))
      opening = { path, done }
      const ended = () => {
        if (opening?.done === done) opening = undefined
      }
      done.then(ended, (error: unknown) => {
        ended()
        telemetry.log('error', 'search.not-indexed', { error: String(error) })
      })
    }
    return opening.done
  }

  async function refresh(): Promise<void> {
    await begin(pathOf(await products.edition()))
  }

  async function current(): Promise<Opened> {
    const edition = await products.edition()
    const indexed = begin(pathOf(edition))
    if (opened === undefined) await indexed
    else indexed.catch(() => {})
    if (opened === undefined) throw new Error('the catalogue is not indexed')
    const { offers } = opened
    await offers.follow(edition)
    return opened
  }

  function questionIndex(): TermIndex {
    const entries = faq()
    if (questions?.entries !== entries) questions = { entries, index: termIndex(entries.map(faqDocument)) }
    return questions.index
  }

  await refresh()
  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const { index, offers } = await current()
      const embedded = await meaningFor(embeddings, query, index.shelf)
      signal.throwIfAborted()
      const parts = { shelf: index.shelf, vectors, offerOf: offers.of, embedded }
      const { question, ranked } = searchShelf(parts, query, index.fullText)
      const shares = index.matched(
        ranked.map(({ id }) => index.shelf.numberOf(id) ?? -1),
        question.terms,
      )
      const inFaq = questionIndex()
      return [
        ...ranked.map(({ id, score }, place) => ({ kind: 'product' as const, id, score, matched: shares[place] ?? 0 })),
        ...inFaq
          .find(question.terms)
          .slice(0, query.limit)
          .map(({ product, score }) => ({
            kind: 'faq' as const,
            id: faq()[product]?.id ?? '',
            score,
            matched: inFaq.matched(product, question.terms),
          })),
      ]
    },
    async explain(query, signal) {
      signal.throwIfAborted()
      const { index, offers } = await current()
      const embedded = await meaningFor(embeddings, query, index.shelf)
      return searchShelf({ shelf: index.shelf, vectors, offerOf: offers.of, embedded }, query, index.fullText)
    },
    refresh,
    [Symbol.dispose]: () => opened?.index[Symbol.dispose](),
  }
}
