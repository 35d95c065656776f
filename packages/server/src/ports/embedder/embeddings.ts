// The meaning of texts by an embedder, as searches and the app use it: the vectors of the current catalogue and FAQ, those of
// questions, and the state of both. While it cannot say what a question means, searches use the built-in vectors of words.
import type { EmbeddedMeaning } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { NodeLane } from '#domain/lane/node-lane.ts'

export interface Embeddings {
  /** The vendor's id of the model. */
  readonly model: string
  /** The circuit of the vendor's calls. */
  readonly lane: NodeLane
  /** Resolves within the deadline of questions; undefined when the vectors of words must do. Never rejects. */
  ask(question: AskedOfShelf): Promise<EmbeddedMeaning | undefined>
  /** The id of the FAQ entry that means the same as the message; undefined when none surely does. Never rejects. */
  faqFor(message: string): Promise<string | undefined>
  /** Compares what is stored with the catalogue and the FAQ. */
  survey(): Promise<void>
  /** Embeds what is missing; ends early, and is due again later, when the vendor fails. */
  embedMissing(): Promise<void>
  /** Probes the vendor while its circuit is half-open. */
  heal(): Promise<void>
  status(): EmbeddingsStatus
  /** What was used since the last call; undefined for nothing. */
  takeUsage(): EmbeddingUsage | undefined
}

export interface AskedOfShelf {
  readonly text: string
  readonly shelf: Shelf
}

export interface EmbeddingsStatus {
  /** `unknown` before the first survey. */
  readonly state: 'unknown' | 'embedding' | 'ready'
  /** Series and FAQ entries, and how many of them have vectors. */
  readonly documents: number
  readonly embedded: number
  /** Why the last call for documents or questions failed; absent after a success. */
  readonly failure?: string
}

export interface EmbeddingUsage {
  readonly calls: number
  readonly inputTokens: number
  /** The vendor did not count the tokens of all calls. */
  readonly isEstimated: boolean
  readonly costMicroUsd: number
}
