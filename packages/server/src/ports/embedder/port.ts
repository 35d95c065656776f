// Turns texts into vectors by a model of a vendor: texts of like meaning, in any language, have vectors of like direction.
// An embedder makes one attempt; deadlines, retries and the circuit are those of its callers.
import type { ModelFailure } from '#domain/model/model-part.ts'

export interface EmbedRequest {
  readonly texts: readonly string[]
  /** Some models embed a question otherwise than the texts that may answer it. */
  readonly purpose: EmbedPurpose
  readonly signal: AbortSignal
}

export type EmbedPurpose = 'document' | 'question'

export type Embedded =
  | {
      readonly kind: 'vectors'
      /** One for each text, in their order, of length 1. */
      readonly vectors: readonly Float32Array[]
      /** As the vendor counted them; absent if it does not say. */
      readonly inputTokens?: number
    }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

export interface Embedder {
  /** The vendor's id of the model. */
  readonly model: string
  /** An answer with vectors of another length is a failure. */
  readonly dimensions: number
  readonly textsPerCallMax: number
  /** At most `textsPerCallMax` texts, none of them empty. Never rejects: an aborted call fails with the class `cancelled`. */
  embed(request: EmbedRequest): Promise<Embedded>
}
