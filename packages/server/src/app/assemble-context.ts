// Assembles retrieval: the lookup, and the circuits of search, catalogue and sessions, which turns and the store's pages
// share.
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import type { FaqIndex } from '@mangaassist/bookseller/catalogue/faq-match'
import type { Config } from '#config/config.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'
import { contextCircuits } from '#turn/context/circuits.ts'
import type { ContextCircuits } from '#turn/context/circuits.ts'
import { createHealCircuits } from '#turn/context/heal-circuits.ts'
import { createLookUp } from '#turn/context/look-up.ts'
import type { LookUp } from '#turn/context/look-up.ts'
import type { Ports } from './app-ports.ts'
import type { Round } from './upkeep.ts'

export interface Retrieval {
  readonly lookUp: LookUp
  readonly circuits: ContextCircuits
  /** The index of the current FAQ. */
  readonly faqIndex: FaqIndex
  /** The lanes of dependencies that are not models, the embedder, the search engine and the connection to Redis included. */
  readonly nodeLanes: readonly NodeLane[]
  readonly rounds: readonly Round[]
}

const HEAL_EVERY_MS = 5000
const INDEX_EVERY_MS = 5000

export function createRetrieval(ports: Ports, config: Config): Retrieval {
  const {
    clock,
    embeddings,
    faq,
    faqWeights,
    live,
    products,
    random,
    search,
    sessions,
    storeLanes = [],
    telemetry,
  } = ports
  const { engineSearch, understanding, vectors } = ports
  const lookUp = createLookUp({
    search,
    products,
    live,
    understanding,
    vectors,
    embeddings,
    faqWeights,
    contact: config.store.contact,
    get faq() {
      return faq.entries()
    },
  })
  const circuits = contextCircuits({ clock, random, config })
  const heal = createHealCircuits({ circuits, lookUp, products, sessions, telemetry })
  const own = Object.values(circuits).map(({ lane }) => lane)
  return {
    lookUp,
    circuits,
    faqIndex: currentFaqIndex(faq),
    nodeLanes: [...own, ...[embeddings, engineSearch].flatMap((part) => part?.lane ?? []), ...storeLanes],
    rounds: [{ name: 'heal-circuits', everyMs: HEAL_EVERY_MS, work: heal }, ...engineRounds(engineSearch)],
  }
}

/** Indexes the FAQ again after an import. */
function currentFaqIndex(faq: Ports['faq']): FaqIndex {
  let known = { entries: faq.entries(), index: faqIndex(faq.entries()) }
  return {
    match(message, language) {
      const entries = faq.entries()
      if (known.entries !== entries) known = { entries, index: faqIndex(entries) }
      return known.index.match(message, language)
    },
  }
}

function engineRounds(engine: EngineSearch | undefined): readonly Round[] {
  if (engine === undefined) return []
  return [
    { name: 'index-search-engine', everyMs: INDEX_EVERY_MS, work: engine.keepIndexed },
    { name: 'heal-search-engine', everyMs: HEAL_EVERY_MS, work: engine.heal },
  ]
}
