// Reads one streamed answer with the vendors' real clients, and converts it to one shape, so that one test can check all of
// them.
import type { TestContext } from 'node:test'
import { ConverseStreamCommand, InvokeModelWithResponseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import type { Simulator } from '../start-simulator.ts'
import { bedrockClient, openaiClient } from './clients.ts'

export interface Received {
  text: string
  /** The vendor's own stop reason. */
  stop?: string | undefined
  /** The usage object as received. */
  usage?: unknown
  /** Whether the event that ends an answer arrived. */
  isEnded: boolean
  /** The error that the client threw, before or during the stream. */
  error?: ReceivedError
  events: unknown[]
}

interface ReceivedError {
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

type Listen = (asked: Asked, received: Received) => Promise<void>

/** Never throws: a failure is in `error`. */
export function listener(
  context: TestContext,
  simulator: Simulator,
  api: StreamApi,
): (asked?: Asked) => Promise<Received> {
  const listen = { 'converse-stream': converse, 'invoke-stream': invoke, 'chat-stream': chat }[api](context, simulator)
  return async (asked = {}) => {
    const received: Received = { text: '', isEnded: false, events: [] }
    await listen(asked, received).catch((error: unknown) => (received.error = describe(error)))
    return received
  }
}

function converse(context: TestContext, simulator: Simulator): Listen {
  const client = bedrockClient(context, simulator)
  return async (asked, received) => {
    const input = {
      modelId: asked.model ?? MODEL,
      messages: turnsOf(asked).map(({ role, content }) => ({ role, content: [{ text: content }] })),
      inferenceConfig: { maxTokens: asked.maxTokens ?? 500 },
    }
    const { stream = [] } = await client.send(new ConverseStreamCommand(input), signalOf(asked))
    for await (const event of stream) {
      received.events.push(event)
      take(received, asked, event.contentBlockDelta?.delta?.text)
      received.stop = event.messageStop?.stopReason ?? received.stop
      received.isEnded ||= event.messageStop !== undefined
      received.usage = event.metadata?.usage ?? received.usage
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
  return async (asked, received) => {
    const request = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: asked.maxTokens ?? 500,
      messages: turnsOf(asked),
    }
    const input = { modelId: asked.model ?? MODEL, body: JSON.stringify(request) }
    const { body = [] } = await client.send(new InvokeModelWithResponseStreamCommand(input), signalOf(asked))
    for await (const { chunk } of body) {
      const event = parse(Buffer.from(chunk?.bytes ?? []).toString())
      received.events.push(event)
      take(received, asked, event.delta?.text)
      received.stop = event.delta?.stop_reason ?? received.stop
      received.isEnded ||= event.type === 'message_stop'
      const usage = event.message?.usage ?? event.usage
      if (usage !== undefined) received.usage = { ...(received.usage as object | undefined), ...usage }
    }
  }
}

function chat(_context: TestContext, simulator: Simulator): Listen {
  const client = openaiClient(simulator)
  return async (asked, received) => {
    const request = {
      model: asked.model ?? MODEL,
      stream: true as const,
      stream_options: { include_usage: true },
      max_completion_tokens: asked.maxTokens ?? 500,
      messages: turnsOf(asked),
    }
    const stream = await client.chat.completions.create(request, asked.signal ? { signal: asked.signal } : {})
    for await (const event of stream) {
      received.events.push(event)
      const choice = event.choices?.[0]
      take(received, asked, choice?.delta.content ?? undefined)
      received.stop = choice?.finish_reason ?? received.stop
      received.isEnded ||= received.stop !== undefined
      received.usage = event.usage ?? received.usage
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

function take(received: Received, { onText }: Asked, text: string | undefined): void {
  if (text === undefined || text === '') return
  received.text += text
  onText?.(received.text)
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

function describe(error: unknown): ReceivedError {
  const { name, message, status, code, headers, $metadata, $response } = error as AnyError
  return {
    name,
    message,
    status: status ?? $metadata?.httpStatusCode,
    code,
    retryAfter: headers?.get('retry-after') ?? $response?.headers?.['retry-after'],
  }
}
