// The bodies of Bedrock's InvokeModel for embedding models, and where their answers have the vectors. Titan takes one text a call,
// Cohere up to 96.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import type { EmbedRequest } from '#ports/embedder/port.ts'

export interface EmbeddingFamily {
  readonly textsPerCallMax: number
  body(request: Pick<EmbedRequest, 'texts' | 'purpose'>, dimensions: number): Readonly<Record<string, unknown>>
  read(answer: unknown): { readonly vectors: unknown; readonly inputTokens?: unknown }
}

/** The prefix of an inference profile. */
const PROFILE = /^(global|us|us-gov|eu|apac|jp|au|ca|sa)\./
/** Cohere refuses longer texts whatever `truncate` says. */
const COHERE_LENGTH_MAX = 2048

const titan: EmbeddingFamily = {
  textsPerCallMax: 1,
  body: ({ texts: [inputText] }, dimensions) => ({ inputText, dimensions, normalize: true }),
  read(answer) {
    const { embedding, inputTextTokenCount } = fieldsOf(answer)
    return { vectors: [embedding], inputTokens: inputTextTokenCount }
  },
}

const cohere: EmbeddingFamily = {
  textsPerCallMax: 96,
  body: ({ texts, purpose }) => ({
    texts: texts.map((text) => text.slice(0, COHERE_LENGTH_MAX)),
    input_type: purpose === 'document' ? 'search_document' : 'search_query',
    truncate: 'END',
  }),
  read(answer) {
    const { embeddings } = fieldsOf(answer)
    // With `embedding_types`, and from version 4 on, they are listed by their type.
    return { vectors: Array.isArray(embeddings) ? embeddings : fieldsOf(embeddings).float }
  },
}

/** Undefined for a model that is not known to embed. */
export function embeddingFamilyOf(modelId: string): EmbeddingFamily | undefined {
  const id = modelId.replace(PROFILE, '')
  if (id.startsWith('amazon.titan-embed-text-v2')) return titan
  return id.startsWith('cohere.embed-') ? cohere : undefined
}
