// Parses a request of any vendor's api into a call, or finds the problem that the vendor would report.
import { isObject, MAX_TOKENS_DEFAULT, messagesOf, parseJson, promptTokensOf, contentText } from './call.ts'
import type { Api, VendorCall, Prompt } from './call.ts'
import { embeddingProblem, embedCall, isEmbedding } from './embedding-call.ts'

export interface Route {
  readonly api: Api
  /** Bedrock has it in the path, OpenAI in the body. */
  readonly model?: string
}

const BEDROCK_PATH = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream|count-tokens)$/
const bedrockApis: Readonly<Record<string, Api>> = {
  invoke: 'invoke',
  'invoke-with-response-stream': 'invoke-stream',
  converse: 'converse',
  'converse-stream': 'converse-stream',
  'count-tokens': 'count-tokens',
}

export function routeOf(path: string): Route | undefined {
  if (path === '/v1/chat/completions') return { api: 'chat' }
  if (path === '/v1/embeddings') return { api: 'embeddings' }
  const [, id, operation = ''] = BEDROCK_PATH.exec(path) ?? []
  const api = bedrockApis[operation]
  if (id === undefined || api === undefined) return undefined
  const model = decodeURIComponent(id)
  return { api: api === 'invoke' ? invokedApi(model) : api, model }
}

/** InvokeModel takes the body of the model's maker. */
function invokedApi(model: string): Api {
  if (model.includes('titan-embed')) return 'embed-titan'
  return model.includes('cohere.embed') ? 'embed-cohere' : 'invoke'
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function readCall(route: Route, body: unknown, headers: Headers): VendorCall {
  return { ...callOf(route, body, headers), ...traceIn(headers) }
}

function traceIn({ traceparent, 'x-amzn-trace-id': xRay }: Headers): Pick<VendorCall, 'trace'> {
  const trace = {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof xRay === 'string' ? { xRay } : {}),
  }
  return Object.keys(trace).length === 0 ? {} : { trace }
}

function callOf(route: Route, body: unknown, headers: Headers): VendorCall {
  const fields = isObject(body) ? body : {}
  if (route.api === 'chat') return chatCall(fields)
  const { api, model = '' } = route
  if (isEmbedding(api)) return embedCall(api, model, fields)
  if (api === 'invoke' || api === 'invoke-stream') return { ...invokeCall(api, model, fields), ...guardrailIn(headers) }
  if (api === 'converse' || api === 'converse-stream') return converseCall(api, model, fields)
  return countCall(model, fields)
}

/** The reason why the vendor would refuse the call as invalid, or undefined. */
export function problemOf({ api, prompt, body }: VendorCall): string | undefined {
  const fields = isObject(body) ? body : {}
  if (isEmbedding(api)) return embeddingProblem(api, fields)
  if (prompt.messages.length === 0) return 'messages: at least one message is required'
  if (prompt.messages.some(({ content }) => content.trim() === '')) return 'messages: text content must be non-empty'
  if (api === 'chat' || api === 'chat-stream') return undefined
  if (prompt.messages[0]?.role !== 'user') return 'A conversation must start with a user message.'
  if (api.startsWith('invoke') && fields.anthropic_version === undefined) return 'anthropic_version: Field required'
  if (api.startsWith('invoke') && fields.max_tokens === undefined) return 'max_tokens: Field required'
  const isRepeated = prompt.messages.some(({ role }, index) => role === prompt.messages[index - 1]?.role)
  if (api.startsWith('converse') && isRepeated) return 'A conversation must alternate between user and assistant roles.'
  return undefined
}

function chatCall(body: Record<string, unknown>): VendorCall {
  const all = messagesOf(body.messages)
  const isSystem = ({ role }: { readonly role: string }) => role === 'system' || role === 'developer'
  const system = all.filter(isSystem).map(({ content }) => content)
  const messages = all.filter((message) => !isSystem(message))
  const prompt = { model: String(body.model), system: system.join('\n'), messages }
  const includeUsage = isObject(body.stream_options) && body.stream_options.include_usage === true
  const maxTokens = body.max_completion_tokens ?? body.max_tokens
  return call(body.stream === true ? 'chat-stream' : 'chat', prompt, { maxTokens, body, includeUsage })
}

function invokeCall(api: Api, model: string, body: Record<string, unknown>): VendorCall {
  const prompt = { model, system: contentText(body.system), messages: messagesOf(body.messages) }
  return call(api, prompt, { maxTokens: body.max_tokens, body })
}

function converseCall(api: Api, model: string, body: Record<string, unknown>): VendorCall {
  const prompt = { model, system: contentText(body.system), messages: messagesOf(body.messages) }
  const limits = isObject(body.inferenceConfig) ? body.inferenceConfig : {}
  const { guardrailIdentifier, guardrailVersion } = isObject(body.guardrailConfig) ? body.guardrailConfig : {}
  return {
    ...call(api, prompt, { maxTokens: limits.maxTokens, body }),
    ...guardrailOf(guardrailIdentifier, guardrailVersion),
  }
}

function countCall(model: string, body: Record<string, unknown>): VendorCall {
  const { converse, invokeModel } = isObject(body.input) ? body.input : {}
  if (isObject(converse)) return { ...converseCall('count-tokens', model, converse), maxTokens: 0, body }
  const encoded = isObject(invokeModel) && typeof invokeModel.body === 'string' ? invokeModel.body : ''
  const decoded = parseJson(Buffer.from(encoded, 'base64').toString())
  return { ...invokeCall('count-tokens', model, isObject(decoded) ? decoded : {}), maxTokens: 0, body }
}

function call(
  api: Api,
  prompt: Prompt,
  rest: { readonly maxTokens: unknown; readonly body: unknown; readonly includeUsage?: boolean },
): VendorCall {
  return {
    api,
    model: prompt.model,
    prompt,
    promptTokens: promptTokensOf(prompt),
    maxTokens: typeof rest.maxTokens === 'number' ? rest.maxTokens : MAX_TOKENS_DEFAULT,
    includeUsage: rest.includeUsage ?? true,
    body: rest.body,
  }
}

function guardrailIn(headers: Headers): Pick<VendorCall, 'guardrail'> {
  return guardrailOf(headers['x-amzn-bedrock-guardrailidentifier'], headers['x-amzn-bedrock-guardrailversion'])
}

function guardrailOf(id: unknown, version: unknown): Pick<VendorCall, 'guardrail'> {
  return typeof id === 'string' ? { guardrail: { id, version: String(version) } } : {}
}
