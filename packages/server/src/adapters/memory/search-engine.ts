// A search engine in memory, for tests and as the oracle of the others. Editions that it holds can be shared by several nodes.
import { avoidedBy, failedFilter } from '@mangaassist/bookseller/retrieval/filters'
import type { FactsView } from '@mangaassist/bookseller/retrieval/filters'
import { termIndex } from '@mangaassist/bookseller/retrieval/term-index'
import type { TermIndex } from '@mangaassist/bookseller/retrieval/term-index'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { CandidateQuery, EngineDocument, SearchEngine } from '#ports/search-engine/port.ts'

interface Held {
  readonly edition: string
  readonly documents: readonly EngineDocument[]
  readonly texts: TermIndex
}

/** What the nodes share. */
export interface MemoryEngineState {
  held?: Held
  readonly superseded: Set<string>
}

/** Any price and stock fits: conditions on them are not the engine's. */
const ANY_OFFER = { pricePerVolumeYen: 0, totalYen: 0, stock: 1 }

export function memorySearchEngine(state: MemoryEngineState = { superseded: new Set() }): SearchEngine {
  return {
    name: 'memory',
    async candidates(query, signal) {
      signal.throwIfAborted()
      const { held } = state
      if (held === undefined) throw new StoreUnavailable('there is no edition yet', { mayHaveHappened: false })
      const candidates = chosen(held, query).slice(0, query.countMax)
      return { edition: candidates.length === 0 ? undefined : held.edition, candidates }
    },
    async index({ documents, isNew, name, size }, signal) {
      signal.throwIfAborted()
      if (state.held?.edition === name) return 'current'
      if (!isNew && state.superseded.has(name)) return 'superseded'
      const all: EngineDocument[] = []
      for await (const document of documents()) all.push(document)
      if (all.length !== size)
        throw new StoreUnavailable(`the edition has ${size} products, and ${all.length} were written`)
      if (state.held !== undefined) state.superseded.add(state.held.edition)
      state.superseded.delete(name)
      state.held = { edition: name, documents: all, texts: termIndex(all) }
      return 'indexed'
    },
  }
}

function chosen({ documents, texts }: Held, { directions, question, withExcluded = false }: CandidateQuery) {
  const scores = new Map(texts.find(question.terms).map(({ product, score }) => [product, score]))
  const isOpen = directions.length > 0 || Object.keys(question.wish.filters).length > 0
  const wanted = question.aspects.flatMap(({ keys }) => keys)
  const ranked = documents.flatMap((document, number) => {
    const text = question.like.length > 0 ? 0 : (scores.get(number) ?? 0)
    const shared = wanted.filter((key) => document.keys.includes(key)).length
    if (text === 0 && shared === 0 && !isOpen) return []
    if (!fits(document, question) && !(withExcluded && text > 0)) return []
    const near = Math.max(0, ...directions.map((direction) => product(direction, document.vector)))
    return [{ id: document.id, text, rank: text + shared + near + document.fame / 1000 }]
  })
  return ranked.sort((a, b) => b.rank - a.rank).map(({ id, text }) => ({ id, text }))
}

function fits({ age, firstYear, id, keys, volumes }: EngineDocument, question: CandidateQuery['question']): boolean {
  if (question.exclude.includes(id) || question.like.includes(id)) return false
  const view: FactsView = { volumes, firstYear, age, offer: ANY_OFFER, has: (key) => keys.includes(key) }
  const { inStock: _, priceYenMax: __, priceYenMin: ___, totalYenMax: ____, ...filters } = question.wish.filters
  return failedFilter(view, filters) === undefined && avoidedBy(view, question.wish) === undefined
}

const product = (a: Int8Array, b: Int8Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0) / 16_129
