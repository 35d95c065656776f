// Search with a shared search engine: the engine chooses the products that may answer, and this node's ranking decides their order by
// its own shelf. Without an answer in time the node's own index answers: shoppers notice nothing, operators do.
import { prepareQuestion } from '@mangaassist/bookseller/retrieval/question'
import type { PreparedQuestion } from '@mangaassist/bookseller/retrieval/question'
import { directionsOf } from '@mangaassist/bookseller/retrieval/rank'
import { rankedAnswer } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { ShelfAnswer } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Candidates, SearchEngine } from '#ports/search-engine/port.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'
import { meaningFor } from '#ports/search/meaning-for.ts'
import type { Search, SearchQuery } from '#ports/search/port.ts'
import type { CurrentShelf, ShelfSource } from '#ports/search/shelf-source.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { engineEditionKeeper, engineEditionName } from './engine-edition.ts'
import type { EngineEditionKeeper } from './engine-edition.ts'
import { engineGuard, REASONS } from './engine-guard.ts'

export interface EngineSearchParts {
  readonly engine: SearchEngine
  /** The node's own index, whose shelf is ranked in any case. */
  readonly own: Search & ShelfSource
  readonly products: Pick<ProductStore, 'page' | 'edition'>
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
  readonly lane: NodeLane
  /** The deadline of the engine's calls, for their permits. */
  readonly callMs: number
  /** A command only reads: it asks whatever edition is there, and never writes one. */
  readonly isReader?: boolean
  readonly clock: Clock
  readonly telemetry: Pick<Telemetry, 'count' | 'log' | 'observe'>
}

/** Enough for the ranking to have what it would choose itself. */
const CANDIDATES_MAX = 150
/** The best hits, whose matching words are counted. */
const COUNTED_MAX = 5
const PROBES_MAX = 14

const READER: EngineEditionKeeper = { keep: async () => {}, state: () => 'current', failure: () => undefined }

interface Answered {
  readonly answer: ShelfAnswer
  readonly current: CurrentShelf
}

export function createEngineSearch(parts: EngineSearchParts): EngineSearch & Disposable {
  const { embeddings, engine, isReader = false, lane, own, vectors } = parts
  const stopped = new AbortController()
  const keeper = isReader ? READER : engineEditionKeeper({ ...parts, signal: stopped.signal })
  const guard = engineGuard(parts)

  /** A text: why the node's own index must answer. */
  async function asked(query: SearchQuery, signal: AbortSignal, withExcluded: boolean): Promise<Answered | string> {
    signal.throwIfAborted()
    const current = await own.current()
    signal.throwIfAborted()
    const { offerOf, shelf } = current
    const question = prepareQuestion(query, vectors)
    const directions = directionsOf({ shelf, vectors }, question)
    const [embedded, found] = await Promise.all([
      meaningFor(embeddings, query, shelf),
      guard.candidates({ question, directions, countMax: CANDIDATES_MAX, withExcluded }, signal, {
        edition: engineEditionName(current.facts, vectors),
        state: keeper.state(),
      }),
    ])
    signal.throwIfAborted()
    if (typeof found === 'string') return found
    const { byText, chosen } = onShelf(found, current)
    const answer = rankedAnswer({ shelf, vectors, offerOf, embedded, chosen }, question, byText)
    return { current, answer: { ...answer, chosenBy: { by: 'engine' } } }
  }

  return {
    engine: engine.name,
    lane,
    async find(query, signal) {
      const found = await asked(query, signal, false)
      return typeof found === 'string' ? own.find(query, signal) : hitsOf(found)
    },
    async explain(query, signal) {
      const found = await asked(query, signal, true)
      if (typeof found !== 'string') return found.answer
      return { ...(await own.explain(query, signal)), chosenBy: { by: 'own-index', reason: found } }
    },
    async refresh() {
      await own.refresh()
      await keeper.keep()
    },
    keepIndexed: keeper.keep,
    async heal() {
      const question = prepareQuestion({ text: '海賊', limit: 1 }, vectors)
      for (let probes = 0; probes < PROBES_MAX && lane.view().phase === 'half-open'; probes += 1) {
        const probed = await guard.candidates({ question, directions: [], countMax: 1 }, stopped.signal)
        if (typeof probed === 'string') return
        lane.tick()
      }
    },
    status() {
      const edition = keeper.state()
      const why = edition === 'current' ? undefined : REASONS[edition]
      const reason = guard.failure() ?? keeper.failure() ?? why
      const isAsked = guard.failure() === undefined && edition === 'current'
      return { chosenBy: isAsked ? 'engine' : 'own-index', edition, ...(reason === undefined ? {} : { reason }) }
    },
    [Symbol.dispose]: () => stopped.abort(new Error('the server stops')),
  }
}

/** Products of another edition are not on the shelf. */
function onShelf({ candidates }: Candidates, { shelf }: CurrentShelf) {
  const known = candidates.flatMap(({ id, text }) => {
    const product = shelf.numberOf(id)
    return product === undefined ? [] : [{ product, score: text }]
  })
  const byText = known.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.product - b.product)
  return { chosen: known.map(({ product }) => product), byText }
}

function hitsOf({ answer, current }: Answered): Awaited<ReturnType<Search['find']>> {
  const { question, ranked }: { question: PreparedQuestion; ranked: ShelfAnswer['ranked'] } = answer
  const one = 1 / (question.terms.length || 1)
  return ranked.map(({ id, number, parts: { text }, reasons, score }, place) => {
    const least = text > 0 ? one : 0
    const matched = place < COUNTED_MAX ? Math.max(least, current.matched(number, question.terms)) : least
    return { id, score, reasons, matched }
  })
}
