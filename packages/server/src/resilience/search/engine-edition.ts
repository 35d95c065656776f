// Keeps the edition of this node in the search engine: checks at intervals whether it is the one that is searched, and writes it if not.
import { productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import type { Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { Clock } from '#ports/clock/port.ts'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { EngineDocument, SearchEngine } from '#ports/search-engine/port.ts'
import type { EngineStatus } from '#ports/search/engine-search.ts'
import type { Search } from '#ports/search/port.ts'
import type { ShelfSource } from '#ports/search/shelf-source.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface EngineEditionParts {
  readonly engine: SearchEngine
  readonly own: Search & ShelfSource
  readonly products: Pick<ProductStore, 'page' | 'edition'>
  readonly vectors: WordVectors
  readonly clock: Clock
  readonly telemetry: Pick<Telemetry, 'log'>
  readonly signal: AbortSignal
}

export interface EngineEditionKeeper {
  keep(): Promise<void>
  state(): EngineStatus['edition']
  failure(): string | undefined
}

/** How often an edition that is searched is checked again. */
const CHECK_EVERY_MS = 15_000
/** The pause after a failure; each further one doubles it. */
const PAUSE_MS = 5000
const PAUSE_MAX_MS = 300_000
/** Products between two pauses: some ten milliseconds of work. */
const BATCH_PRODUCTS = 5
const UNKNOWN_AGE = 255

/**
 * Names the engine's index of an edition. It contains the digest of the vectors: an index with vectors of another table
 * cannot be used.
 */
export const engineEditionName = (facts: string, vectors: Pick<WordVectors, 'digest'>): string =>
  `${facts.slice(0, 24)}-${vectors.digest}`.toLowerCase()

export function engineEditionKeeper(parts: EngineEditionParts): EngineEditionKeeper {
  const { clock, engine, own, products, signal, telemetry, vectors } = parts
  let state: EngineStatus['edition'] = 'unknown'
  let failure: string | undefined
  let failures = 0
  let nextAt = Number.NEGATIVE_INFINITY
  /** The edition that was checked last. New: imported while this process ran, and not yet searched since. */
  let seen: { readonly name: string; readonly isNew: boolean } | undefined
  let running: Promise<void> | undefined

  async function check(): Promise<void> {
    await own.refresh()
    const { facts, shelf } = await own.current()
    const name = engineEditionName(facts, vectors)
    if (seen?.name !== name) {
      seen = { name, isNew: seen !== undefined }
      state = 'unknown'
    }
    const at = clock.now()
    const documents = () => documentsOf(parts, shelf)
    const outcome = await engine.index({ name, size: shelf.size, documents, isNew: seen.isNew }, signal)
    // Once it was searched, the edition that replaces it is a later one and stays.
    if (outcome === 'indexed' || outcome === 'current') seen = { name, isNew: false }
    state = outcome === 'superseded' ? 'behind' : outcome === 'elsewhere' ? 'writing' : 'current'
    if (outcome === 'indexed') telemetry.log('info', 'search.engine-indexed', { tookMs: clock.now() - at })
    failure = undefined
    failures = 0
    nextAt = clock.now() + (state === 'current' ? CHECK_EVERY_MS : 0)
  }

  function failed(error: unknown): void {
    if (signal.aborted) return
    failures += 1
    failure = error instanceof EngineFailure ? error.message : String(error)
    nextAt = clock.now() + Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (failures - 1))
    if (failures === 1) telemetry.log('warn', 'search.engine-not-indexed', { reason: failure })
  }

  return {
    async keep() {
      const facts = (await products.edition().catch(() => undefined))?.factsDigest
      const isOther = facts !== undefined && seen !== undefined && seen.name !== engineEditionName(facts, vectors)
      if (clock.now() < nextAt && !isOther) return
      running ??= check()
        .catch(failed)
        .finally(() => (running = undefined))
      await running
    },
    state: () => state,
    failure: () => failure,
  }
}

async function* documentsOf(
  { clock, products }: Pick<EngineEditionParts, 'clock' | 'products'>,
  shelf: Shelf,
): AsyncGenerator<EngineDocument> {
  let count = 0
  for await (const product of eachProduct(products)) {
    const number = shelf.numberOf(product.id)
    if (number === undefined) throw new EngineFailure('refused', 'the catalogue was changed while it was written')
    const { names, text } = productDocument(product)
    const [firstYear, age] = [shelf.firstYears[number]!, shelf.ages[number]!]
    yield {
      id: product.id,
      names,
      text,
      keys: shelf.keysOf(number),
      volumes: shelf.volumes[number]!,
      ...(firstYear === 0 ? {} : { firstYear }),
      ...(age === UNKNOWN_AGE ? {} : { age }),
      fame: shelf.fames[number]!,
      vector: shelf.vectors.at(number),
    }
    count += 1
    if (count % BATCH_PRODUCTS === 0) await new Promise<void>((resolve) => clock.defer(resolve))
  }
}
