// Search over the index file of the current edition. A new edition is indexed beside the old one, which answers meanwhile; prices
// and stock are read from the store, not from the index.
import { existsSync, rmSync } from 'node:fs'
import { searchShelf } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { Clock } from '#ports/clock/port.ts'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { Edition, ProductStore } from '#ports/product-store/port.ts'
import { currentOffers } from '#ports/search/current-offers.ts'
import type { CurrentOffers } from '#ports/search/current-offers.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import { meaningFor } from '#ports/search/meaning-for.ts'
import type { Search } from '#ports/search/port.ts'
import type { ShelfSource } from '#ports/search/shelf-source.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { buildIndexFile, indexPath, removeOtherIndexes } from './index-file.ts'
import { openIndex } from './open-index.ts'
import type { OpenIndex } from './open-index.ts'

export interface SqliteSearchOptions {
  /** For the index files alone. */
  readonly folder: string
  readonly products: Pick<ProductStore, 'page' | 'outlines' | 'edition'>
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
  readonly clock: Pick<Clock, 'defer' | 'now'>
  readonly telemetry: Pick<Telemetry, 'log'>
}

/** The best hits, whose matching words are counted. */
const COUNTED_MAX = 5

interface Opened {
  readonly path: string
  readonly facts: string
  readonly index: OpenIndex
  readonly offers: CurrentOffers
}

/** Resolves when the current edition can be searched. */
export async function sqliteSearch(options: SqliteSearchOptions): Promise<Search & ShelfSource & Disposable> {
  const { folder, products, vectors, embeddings, clock, telemetry } = options
  let opened: Opened | undefined
  let opening: { readonly path: string; readonly done: Promise<void> } | undefined

  const factsOf = (edition: Edition | undefined) => edition?.factsDigest ?? 'empty'
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))

  async function open(path: string, facts: string): Promise<void> {
    if (!existsSync(path)) {
      const at = clock.now()
      await buildIndexFile(path, eachProduct(products), { vectors, pause })
      telemetry.log('info', 'search.indexed', { tookMs: clock.now() - at })
    }
    const before = opened
    const index = openStored(path)
    if (index === undefined) return open(path, facts)
    opened = { path, facts, index, offers: await currentOffers(products, index.shelf) }
    before?.index[Symbol.dispose]()
    removeOtherIndexes(folder, path)
  }

  /** Undefined where the file cannot be read: then it is gone, and has to be built again. */
  function openStored(path: string): OpenIndex | undefined {
    try {
      return openIndex(path, vectors)
    } catch (error) {
      discard(path, error)
      return undefined
    }
  }

  function discard(path: string, error: unknown): void {
    telemetry.log('warn', 'search.index-damaged', { error: String(error) })
    rmSync(path, { recursive: true, force: true })
  }

  /** Runs a query. Where the file turns out to be damaged only now, it is built again first. */
  async function query<Result>(run: (opened: Opened) => Promise<Result>): Promise<Result> {
    const used = await current()
    try {
      return await run(used)
    } catch (error) {
      if (!isDamage(error)) throw error
      if (opened === used) {
        opened = undefined
        used.index[Symbol.dispose]()
        discard(used.path, error)
      }
      return run(await current())
    }
  }

  /** Begins to open the index of the current edition, unless that is in use or in flight. */
  function begin(facts: string): Promise<void> {
    const path = indexPath(folder, facts, vectors)
    if (opened?.path === path) return Promise.resolve()
    if (opening?.path !== path) {
      const done = (opening?.done ?? Promise.resolve()).catch(() => {}).then(() => open(path, facts))
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
    await begin(factsOf(await products.edition()))
  }

  async function current(): Promise<Opened> {
    const edition = await products.edition()
    const indexed = begin(factsOf(edition))
    if (opened === undefined) await indexed
    else indexed.catch(() => {})
    if (opened === undefined) throw new Error('the catalogue is not indexed')
    const { offers } = opened
    await offers.follow(edition)
    return opened
  }

  await refresh()
  return {
    async find(asked, signal) {
      signal.throwIfAborted()
      return query(async ({ index, offers }) => {
        const embedded = await meaningFor(embeddings, asked, index.shelf)
        signal.throwIfAborted()
        const parts = { shelf: index.shelf, vectors, offerOf: offers.of, embedded }
        const { question, ranked } = searchShelf(parts, asked, index.fullText)
        const { terms } = question
        const one = 1 / (terms.length || 1)
        // Each term of each product is a query of its own.
        return ranked.map(({ id, number, parts: { text }, reasons, score }, place) => ({
          id,
          score,
          reasons,
          matched: place < COUNTED_MAX ? index.matched(number, terms) : text > 0 ? one : 0,
        }))
      })
    },
    async explain(asked, signal) {
      signal.throwIfAborted()
      return query(async ({ index, offers }) => {
        const embedded = await meaningFor(embeddings, asked, index.shelf)
        return searchShelf({ shelf: index.shelf, vectors, offerOf: offers.of, embedded }, asked, index.fullText)
      })
    },
    refresh,
    async current() {
      const { facts, index, offers } = await current()
      return { facts, shelf: index.shelf, offerOf: offers.of, matched: index.matched }
    },
    [Symbol.dispose]: () => opened?.index[Symbol.dispose](),
  }
}

const [CORRUPT, NOT_A_DATABASE] = [11, 26]

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === CORRUPT || code === NOT_A_DATABASE
}
