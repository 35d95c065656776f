// The wires of embedders: Titan's and Cohere's bodies of Bedrock's InvokeModel, and OpenAI's `/embeddings`.
import { isObject, promptTokensOf } from './call.ts'
import type { Api, VendorCall } from './call.ts'
import { vectorOf } from './embedding-vectors.ts'
import type { VectorShape } from './embedding-vectors.ts'

export type EmbeddingApi = Extract<Api, `embed${string}`>

const APIS: ReadonlySet<Api> = new Set(['embed-titan', 'embed-cohere', 'embeddings'])
const TITAN_DIMENSIONS: readonly unknown[] = [256, 512, 1024]
const DIMENSIONS: Readonly<Record<EmbeddingApi, number>> = {
  'embed-titan': 1024,
  'embed-cohere': 1024,
  embeddings: 1536,
}
const COHERE_TEXTS_MAX = 96
const COHERE_LENGTH_MAX = 2048
const COHERE_TYPES: readonly unknown[] = ['search_document', 'search_query', 'classification', 'clustering']

export function isEmbedding(api: Api): api is EmbeddingApi {
  return APIS.has(api)
}

export function embedCall(api: EmbeddingApi, model: string, body: Record<string, unknown>): VendorCall {
  const name = api === 'embeddings' ? String(body.model) : model
  const prompt = { model: name, system: '', messages: textsIn(api, body).map((content) => ({ role: 'user', content })) }
  return { api, model: name, prompt, promptTokens: promptTokensOf(prompt), maxTokens: 0, includeUsage: true, body }
}

/** The reason why the vendor would refuse the call as invalid, or undefined. */
export function embeddingProblem(api: EmbeddingApi, body: Record<string, unknown>): string | undefined {
  const texts = textsIn(api, body)
  if (texts.length === 0 || texts.some((text) => text === '')) return 'expected minLength: 1, actual: 0'
  const { dimensions } = body
  if (api === 'embed-titan' && dimensions !== undefined && !TITAN_DIMENSIONS.includes(dimensions))
    return `dimensions: ${JSON.stringify(dimensions)} is not a valid enum value`
  if (api !== 'embed-cohere') return undefined
  if (!COHERE_TYPES.includes(body.input_type)) return 'input_type: a valid input_type is required'
  if (texts.length > COHERE_TEXTS_MAX) return `texts: expected maxItems: ${COHERE_TEXTS_MAX}, actual: ${texts.length}`
  if (texts.some((text) => text.length > COHERE_LENGTH_MAX)) return `texts: expected maxLength: ${COHERE_LENGTH_MAX}`
  return undefined
}

export function embeddingBody({ api, body, model, prompt, promptTokens }: VendorCall, wrong?: VectorShape) {
  if (!isEmbedding(api)) throw new Error(`${api} embeds nothing`)
  const asked = isObject(body) && typeof body.dimensions === 'number' ? body.dimensions : DIMENSIONS[api]
  const dimensions = wrong === 'wrong-dimensions' ? asked + 8 : asked
  const vectors = prompt.messages.map(({ content }) =>
    wrong === 'not-numbers' ? ['a', 'b'] : vectorOf(content, dimensions),
  )
  const sent = wrong === 'too-few' ? vectors.slice(1) : vectors
  if (api === 'embed-titan') {
    const [embedding = []] = sent
    return { embedding, embeddingsByType: { float: embedding }, inputTextTokenCount: promptTokens }
  }
  if (api === 'embed-cohere') {
    const texts = prompt.messages.map(({ content }) => content)
    return { id: 'emb_sim', response_type: 'embeddings_floats', embeddings: sent, texts }
  }
  return {
    object: 'list',
    model,
    data: sent.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  }
}

function textsIn(api: EmbeddingApi, body: Record<string, unknown>): readonly string[] {
  const given = api === 'embed-titan' ? body.inputText : api === 'embed-cohere' ? body.texts : body.input
  return (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string')
}
