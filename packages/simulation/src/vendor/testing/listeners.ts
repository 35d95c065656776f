// What the vendors' real clients hear of one streamed answer, brought to one shape, so that a test can ask the same of all.
import type { TestContext } from 'node:test'
import { ConverseStreamCommand, InvokeModelWithResponseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import type { Simulator } from '../start-simulator.ts'
import { bedrockClient, openaiClient } from './clients.ts'

export interface Heard {
  text: string
  /** The vendor's own stop reason. */
  stop?: string | undefined
  /** The usage object as it came. */
  usage?: unknown
  /** Whether the event that ends an answer came. */
  isEnded: boolean
  /** What the client threw, before the stream or in it. */
  error?: HeardError
  events: unknown[]
}

interface HeardError {
  readonly name: string
  readonly message: string
  readonly status?: number | undefined
  readonly code?: string | null | undefined
  readonly retryAfter?: string | null | undefined
}

export interface Asked {
  readonly model?: string
  readonly question?: string
  readonly maxTokens?: number
  /** A trailing assistant message. */
  readonly prefill?: string
  readonly signal?: AbortSignal
  readonly onText?: (text: string) => void
}

export type StreamApi = 'converse-stream' | 'invoke-stream' | 'chat-stream'
export const STREAM_APIS: readonly StreamApi[] = ['converse-stream', 'invoke-stream', 'chat-stream']
export const MODEL = 'anthropic.claude-3-haiku-20240307-v1:0'

type Listen = (asked: Asked, heard: Heard) => Promise<void>

/** Never throws: what went wrong is in `error`. */
export function listener(
  context: TestContext,
  simulator: Simulator,
  api: StreamApi,
): (asked?: Asked) => Promise<Heard> {
  const listen = { 'converse-stream': converse, 'invoke-stream': invoke, 'chat-stream': chat }[api](context, simulator)
  return async (asked = {}) => {
    const heard: Heard = { text: '', isEnded: false, events: [] }
    await listen(asked, heard).catch((error: unknown) => (heard.error = describe(error)))
    return heard
  }
}

function converse(context: TestContext, simulator: Simulator): Listen {
  const client = bedrockClient(context, simulator)
  return async (asked, heard) => {
    const input = {
      modelId: asked.model ?? MODEL,
      messages: turnsOf(asked).map(({ role, content }) => ({ role, content: [{ text: content }] })),
      inferenceConfig: { maxTokens: asked.maxTokens ?? 500 },
    }
    const { stream = [] } = await client.send(new ConverseStreamCommand(input), signalOf(asked))
    for await (const event of stream) {
      heard.events.push(event)
      take(heard, asked, event.contentBlockDelta?.delta?.text)
      heard.stop = event.messageStop?.stopReason ?? heard.stop
      heard.isEnded ||= event.messageStop !== undefined
      heard.usage = event.metadata?.usage ?? heard.usage
    }
  }
}

interface AnthropicEvent {
  readonly type?: string
  readonly delta?: { readonly text?: string; readonly stop_reason?: string }
  readonly message?: { readonly usage?: object }
  readonly usage?: object
}

function invoke(context: TestContext, simulator: Simulator): Listen {
  const client = bedrockClient(context, simulator)
  return async (asked, heard) => {
    const request = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: asked.maxTokens ?? 500,
      messages: turnsOf(asked),
    }
    const input = { modelId: asked.model ?? MODEL, body: JSON.stringify(request) }
    const { body = [] } = await client.send(new InvokeModelWithResponseStreamCommand(input), signalOf(asked))
    for await (const { chunk } of body) {
      const event = parse(Buffer.from(chunk?.bytes ?? []).toString())
      heard.events.push(event)
      take(heard, asked, event.delta?.text)
      heard.stop = event.delta?.stop_reason ?? heard.stop
      heard.isEnded ||= event.type === 'message_stop'
      const usage = event.message?.usage ?? event.usage
      if (usage !== undefined) heard.usage = { ...(heard.usage as object | undefined), ...usage }
    }
  }
}

function chat(_context: TestContext, simulator: Simulator): Listen {
  const client = openaiClient(simulator)
  return async (asked, heard) => {
    const request = {
      model: asked.model ?? MODEL,
      stream: true as const,
      stream_options: { include_usage: true },
      max_completion_tokens: asked.maxTokens ?? 500,
      messages: turnsOf(asked),
    }
    const stream = await client.chat.completions.create(request, asked.signal ? { signal: asked.signal } : {})
    for await (const event of stream) {
      heard.events.push(event)
      const choice = event.choices?.[0]
      take(heard, asked, choice?.delta.content ?? undefined)
      heard.stop = choice?.finish_reason ?? heard.stop
      heard.isEnded ||= heard.stop !== undefined
      heard.usage = event.usage ?? heard.usage
    }
  }
}

function turnsOf({ prefill, question = 'What should I read next?' }: Asked) {
  const asked = [{ role: 'user' as const, content: question }]
  return prefill === undefined ? asked : [...asked, { role: 'assistant' as const, content: prefill }]
}

function signalOf({ signal }: Asked) {
  return signal ? { abortSignal: signal } : {}
}

function take(heard: Heard, { onText }: Asked, text: string | undefined): void {
  if (text === undefined || text === '') return
  heard.text += text
  onText?.(heard.text)
}

function parse(text: string): AnthropicEvent {
  try {
    return JSON.parse(text) as AnthropicEvent
  } catch {
    return { type: 'unreadable' }
  }
}

interface AnyError extends Error {
  readonly status?: number
  readonly code?: string | null
  readonly headers?: Headers
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> }
}

function describe(error: unknown): HeardError {
  const { name, message, status, code, headers, $metadata, $response } = error as AnyError
  return {
    name,
    message,
    status: status ?? $metadata?.httpStatusCode,
    code,
    retryAfter: headers?.get('retry-after') ?? $response?.headers?.['retry-after'],
  }
}
