// An embedding model of any vendor that has an AI SDK provider package, behind the embedder port. The provider's own `doEmbed` is
// called: it makes one attempt, where `embedMany` retries by itself.
import { failure } from '#domain/model/model-failure.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { EmbedPurpose, Embedder } from '#ports/embedder/port.ts'
import { vectorsIn } from '#ports/embedder/vectors-in.ts'
import { classifyAiSdkError } from './classify.ts'
import type { EmbeddingModel } from './client.ts'

export interface AiSdkEmbedderParts {
  readonly id: string
  readonly dimensions: number
  /** Whether `dimensions` was configured, and is therefore asked for. */
  readonly asksDimensions: boolean
  readonly embeddingModel: EmbeddingModel
  readonly clock: Pick<Clock, 'now'>
}

/** Vendors take more; a smaller batch is lost at less cost. */
const TEXTS_PER_CALL_MAX = 96

export async function aiSdkEmbedder(parts: AiSdkEmbedderParts): Promise<Embedder> {
  const { asksDimensions, clock, dimensions, embeddingModel, id } = parts
  const vendorMax = (await embeddingModel.maxEmbeddingsPerCall) ?? 1
  return {
    model: id,
    dimensions,
    textsPerCallMax: Math.max(1, Math.min(TEXTS_PER_CALL_MAX, vendorMax)),
    async embed({ purpose, signal, texts }) {
      const cancelled = { kind: 'failed', failure: failure('cancelled', 'aborted by the caller') } as const
      if (signal.aborted) return cancelled
      try {
        const { embeddings, usage } = await embeddingModel.doEmbed({
          values: [...texts],
          ...(asksDimensions ? { dimensions } : {}),
          abortSignal: signal,
          providerOptions: optionsFor(purpose),
        })
        return vectorsIn(embeddings, { count: texts.length, dimensions, inputTokens: usage?.tokens })
      } catch (error) {
        return signal.aborted ? cancelled : { kind: 'failed', failure: classifyAiSdkError(error, clock.now(), false) }
      }
    },
  }
}

/** The names of the purpose with vendors that have one. A provider reads its own part only. */
function optionsFor(purpose: EmbedPurpose): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const isDocument = purpose === 'document'
  return {
    cohere: { inputType: isDocument ? 'search_document' : 'search_query' },
    google: { taskType: isDocument ? 'RETRIEVAL_DOCUMENT' : 'RETRIEVAL_QUERY' },
    voyage: { inputType: isDocument ? 'document' : 'query' },
  }
}
