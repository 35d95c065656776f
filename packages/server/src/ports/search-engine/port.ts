// A search engine that all nodes share: it chooses the products that may answer a question, and the node's own ranking decides their
// order. It holds one edition of the catalogue at a time; the next one is written beside it and takes its place in one step.
// Every verb rejects with StoreUnavailable when the engine fails, is late or cannot be reached.
import type { PreparedQuestion } from '@mangaassist/bookseller/retrieval/question'

export interface CandidateQuery {
  readonly question: PreparedQuestion
  /** Where the question points to: unit vectors as signed bytes, of the dimensions of the edition's documents. */
  readonly directions: readonly Int8Array[]
  readonly countMax: number
  /** Also returns products that the conditions exclude, where their text matches; for explanations. */
  readonly withExcluded?: boolean
}

export interface Candidate {
  readonly id: string
  /** The score of the full text, comparable within one answer; 0: no term of the question is in it. */
  readonly text: number
}

export interface Candidates {
  /** The edition that was searched; undefined when no product was found. */
  readonly edition: string | undefined
  /** Best first by the engine, without conditions on price and stock. */
  readonly candidates: readonly Candidate[]
}

/** What the engine stores of a product: no price and no stock, which change within an edition. */
export interface EngineDocument {
  readonly id: string
  readonly names: readonly string[]
  readonly text: string
  readonly keys: readonly string[]
  readonly volumes: number
  readonly firstYear?: number
  readonly age?: number
  /** From 0 to 100. */
  readonly fame: number
  readonly vector: Int8Array
}

export interface EngineEdition {
  /** By content: the same on every node. Lower-case letters, digits and dashes. */
  readonly name: string
  readonly size: number
  /** Can be read more than once. */
  readonly documents: () => AsyncIterable<EngineDocument>
  /**
   * The edition was imported by this process and not searched yet. It then replaces the searched edition even if that
   * one had replaced it before.
   */
  readonly isNew: boolean
}

/**
 * `current`: the edition is searched, and was before. `indexed`: this call wrote it. `elsewhere`: another node writes it.
 * `superseded`: the edition that is searched has replaced this one, so this node is behind.
 */
export type IndexOutcome = 'current' | 'indexed' | 'elsewhere' | 'superseded'

export interface SearchEngine {
  /** For messages: `opensearch`. */
  readonly name: string
  candidates(query: CandidateQuery, signal: AbortSignal): Promise<Candidates>
  /** Makes the edition the searched one. Several nodes may call it at once. */
  index(edition: EngineEdition, signal: AbortSignal): Promise<IndexOutcome>
}
