// One request, independent of the vendor's wire format: api, model, prompt and token limit.
import { countTokens } from './tokens.ts'

export const APIS = [
  'invoke',
  'invoke-stream',
  'converse',
  'converse-stream',
  'count-tokens',
  'chat',
  'chat-stream',
  'embed-titan',
  'embed-cohere',
  'embeddings',
] as const
export type Api = (typeof APIS)[number]

export interface PromptMessage {
  readonly role: string
  readonly content: string
}

export interface Prompt {
  readonly model: string
  readonly system: string
  readonly messages: readonly PromptMessage[]
}

export interface VendorCall {
  readonly api: Api
  readonly model: string
  readonly prompt: Prompt
  readonly promptTokens: number
  readonly maxTokens: number
  readonly guardrail?: { readonly id: string; readonly version: string }
  /** `stream_options.include_usage` of OpenAI; the other vendors always report usage. */
  readonly includeUsage: boolean
  readonly body: unknown
  /** The headers that say which trace the call belongs to. */
  readonly trace?: { readonly traceparent?: string; readonly xRay?: string }
}

const TOKENS_PER_MESSAGE = 3
/** The limit that a vendor applies when a request names no maximum. */
export const MAX_TOKENS_DEFAULT = 4096

export function promptTokensOf({ system, messages }: Prompt): number {
  return messages.reduce((sum, { content }) => sum + TOKENS_PER_MESSAGE + countTokens(content), countTokens(system))
}

/** Extracts text from a string or from blocks with `text`, depending on the api; images and tools are ignored. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: unknown) => (isObject(block) && typeof block.text === 'string' ? block.text : '')).join('')
}

export function messagesOf(messages: unknown): PromptMessage[] {
  if (!Array.isArray(messages)) return []
  return messages.filter(isObject).map(({ role, content }) => ({ role: String(role), content: contentText(content) }))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text that is not JSON is an empty request, which every vendor calls invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
