// Translates a chat completion of OpenAI's clients for the app. An unsupported parameter is refused by name: one that
// changes the answer is never ignored.
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import type { App } from '#app/app.ts'
import { TAG_PATTERN } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { textMessage } from '#domain/model/model-message.ts'
import { invalid } from '../http/problem.ts'

const MESSAGES_MAX = 2048
const TAG = new RegExp(TAG_PATTERN)

/** OpenAI's clients send null for an unset value. */
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

const Message = Type.Object({
  role: Type.Enum(['system', 'developer', 'user', 'assistant']),
  /** Text, or parts of the type `text`. */
  content: optional(
    Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) }))]),
  ),
})

export const ChatCompletionRequest = Type.Object({
  /** A configured name, the vendor's id of a configured model, or `auto`. */
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(Message, { minItems: 1, maxItems: MESSAGES_MAX }),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  max_completion_tokens: optional(Type.Integer({ minimum: 1 })),
  /** The older name of `max_completion_tokens`, which takes precedence. */
  max_tokens: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  /** Only `tag` is used: what the request of an API key is booked under. */
  metadata: optional(Type.Object({ tag: Type.Optional(Type.Unknown()) })),
})
type ChatCompletionRequest = Static<typeof ChatCompletionRequest>
type AskedMessage = ChatCompletionRequest['messages'][number]

type Prompt = Omit<Parameters<App['complete']>[0], 'principal' | 'requestId' | 'route' | 'scope'>

const never = (): boolean => false
const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0
const isOneOf =
  (...neutral: readonly unknown[]) =>
  (value: unknown): boolean =>
    neutral.includes(value)

/** Unsupported parameters, each with the values that request nothing. */
const UNSUPPORTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  audio: never,
  frequency_penalty: isOneOf(0),
  function_call: isOneOf('none', 'auto'),
  functions: isEmpty,
  logit_bias: isEmpty,
  logprobs: isOneOf(false),
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  n: isOneOf(1),
  prediction: never,
  presence_penalty: isOneOf(0),
  reasoning_effort: never,
  response_format: (value) => (value as { type?: unknown }).type === 'text',
  stop: isEmpty,
  tool_choice: isOneOf('none', 'auto'),
  tools: isEmpty,
  top_logprobs: isOneOf(0),
  top_p: isOneOf(1),
  verbosity: isOneOf('medium'),
  web_search_options: never,
}

export function promptFrom(body: ChatCompletionRequest): Prompt {
  refuseUnsupported(body)
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined
  const temperature = body.temperature ?? undefined
  return {
    model: body.model,
    ...conversationFrom(body.messages),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  }
}

/** The principal, with the tag of its request. Only keys have tags: a guest could fill the ledger with names. */
export function taggedPrincipal(
  principal: Principal,
  { metadata }: Pick<ChatCompletionRequest, 'metadata'>,
): Principal {
  const tag = metadata?.tag ?? undefined
  if (tag === undefined || principal.kind !== 'key') return principal
  if (typeof tag === 'string' && TAG.test(tag)) return { ...principal, tag }
  throw invalid('metadata.tag', 'must be at most 64 letters, digits and . : / _ -')
}

function refuseUnsupported(body: object): void {
  for (const [field, value] of Object.entries(body)) {
    const asksForNothing = Object.hasOwn(UNSUPPORTED, field) ? UNSUPPORTED[field] : undefined
    if (asksForNothing === undefined || value === null || asksForNothing(value)) continue
    throw unsupported(field, 'is not supported with this value')
  }
}

function unsupported(field: string, reason: string): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field, reason, code: 'unsupported_parameter' } })
}

/**
 * Vendors need the instructions apart, and alternating roles that start with the user: adjacent messages of one role are
 * joined.
 */
function conversationFrom(asked: readonly AskedMessage[]): Pick<Prompt, 'system' | 'messages'> {
  const system: string[] = []
  const messages: { role: 'user' | 'assistant'; text: string }[] = []
  for (const [index, message] of asked.entries()) {
    const field = `messages.${index}`
    const text = textOf(message, field)
    if (message.role === 'system' || message.role === 'developer') {
      system.push(text)
      continue
    }
    const { role } = message
    if (messages.length === 0 && role !== 'user') throw invalid(`${field}.role`, 'must be user in the first message')
    const previous = messages.at(-1)
    if (previous?.role === role) previous.text += `\n\n${text}`
    else messages.push({ role, text })
  }
  if (messages.at(-1)?.role !== 'user') throw invalid('messages', 'must end with a message of the user')
  return { system: system.join('\n\n'), messages: messages.map(({ role, text }) => textMessage(role, text)) }
}

function textOf(message: AskedMessage, field: string): string {
  for (const name of ['tool_calls', 'function_call', 'audio']) {
    if (((message as Record<string, unknown>)[name] ?? null) !== null)
      throw unsupported(`${field}.${name}`, 'is not supported')
  }
  const { content } = message
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part, at) => partText(part, `${field}.content.${at}`)).join('\n')
  if (text.trim() === '') throw invalid(`${field}.content`, 'must be text and not empty')
  if (!text.isWellFormed()) throw invalid(`${field}.content`, 'has half a surrogate pair')
  return text
}

function partText({ text, type }: { type: string; text?: string }, field: string): string {
  if (type !== 'text') throw unsupported(`${field}.type`, 'must be text: images, audio and files are not supported')
  if (text === undefined) throw invalid(`${field}.text`, 'is required')
  return text
}
