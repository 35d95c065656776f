// A model behind the OpenAI wire: OpenAI itself, Ollama, vLLM, llama.cpp and many more. Our own and small, because it
// is on the path of every token.
import type { IncomingMessage } from 'node:http'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import { failure, networkFailureOf } from '#domain/model/model-failure.ts'
import { CANCELLED, modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly, ModelFailure, ModelPart } from '#domain/model/model-part.ts'
import { boundedSignal, Late } from '#lib/time/bounded-signal.ts'
import { retryAfterMs } from '#lib/time/retry-after.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { ChunkReader, complaintOf } from './reader.ts'
import { connection, NotConnected, Silent } from './client.ts'
import type { ConnectionParts, Exchange, Post } from './client.ts'
import { SseReader } from './sse.ts'

export interface OpenAiModelParts extends ConnectionParts {
  readonly id: string
  readonly facts: ModelFacts
  /** OpenAI's own models want `max_completion_tokens`; other servers know `max_tokens`. */
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens'
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample?: StartSample | undefined
}

const ERROR_BODY_LENGTH_MAX = 64 * 1024

class Refused extends Error {
  readonly failure: ModelFailure

  constructor(refusal: ModelFailure) {
    super(refusal.message)
    this.failure = refusal
  }
}

interface Wire {
  readonly post: Post
  /** Some servers refuse the wish for usage; it is asked of them once. */
  asksForUsage: boolean
}

export function openAiModel(parts: OpenAiModelParts): Model {
  const wire: Wire = { post: connection(parts), asksForUsage: true }
  return { id: parts.id, facts: parts.facts, stream: (request) => stream(parts, wire, request) }
}

async function* stream(parts: OpenAiModelParts, wire: Wire, request: ModelRequest): AsyncGenerator<ModelPart> {
  if (request.signal.aborted) return yield CANCELLED
  using bound = boundedSignal(parts.clock, request.signal, request.deadlineAt - parts.clock.now())
  const reader = new ChunkReader(parts.id, parts.onAnomaly)
  const sse = new SseReader()
  const sample = parts.startSample?.(request.turnId)
  const events: string[] = []
  const out: ModelPart[] = []
  let exchange: Exchange | undefined
  let isDrained = false
  try {
    exchange = await begin(parts, wire, request, bound.signal)
    const { response } = exchange
    response.setEncoding('utf8')
    for await (const text of response.iterator({ destroyOnReturn: false })) {
      exchange.heard()
      sse.read(text as string, events)
      for (const event of events) {
        sample?.see(event)
        reader.read(event, out)
        for (const part of out) {
          // Words that were already here when the caller left.
          if (bound.signal.aborted) throw bound.signal.reason
          yield part
          if (part.type === 'model-error') return
        }
        out.length = 0
      }
      events.length = 0
      if (reader.isDone()) break
    }
    sse.end(events)
    for (const event of events) {
      sample?.see(event)
      reader.readLast(event, out)
    }
    isDrained = true
    // What is left of the body is read away, so that the connection can serve the next call.
    response.resume()
    yield* out
    if (out.at(-1)?.type !== 'model-error') yield* reader.finish()
  } catch (error) {
    sample?.see(error)
    if (reader.isComplete() && !bound.signal.aborted) {
      parts.onAnomaly('lost-after-end')
      yield* reader.finish()
    } else yield errorPart(exchange?.closedFor() ?? error, bound.signal, exchange !== undefined)
  } finally {
    if (!isDrained) exchange?.close()
    sample?.end()
  }
}

async function begin(
  parts: OpenAiModelParts,
  wire: Wire,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  const asks = wire.asksForUsage
  const exchange = await wire.post(bodyOf(parts, request, asks), signal)
  if (exchange.response.statusCode === 200) return exchange
  const refusal = await refusalOf(exchange.response, parts.clock.now())
  if (!asks || refusal.class !== 'invalid' || !/stream_options|include_usage/.test(refusal.message)) {
    throw new Refused(refusal)
  }
  // Not a retry: the server said which words it does not know, before it did anything.
  wire.asksForUsage = false
  return begin(parts, wire, request, signal)
}

function bodyOf(parts: OpenAiModelParts, request: ModelRequest, asksForUsage: boolean): string {
  const system = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  return JSON.stringify({
    model: parts.id,
    messages: [...system, ...request.messages],
    [parts.outputLimitField]: request.maxOutputTokens,
    ...(parts.facts.temperature && request.temperature !== undefined ? { temperature: request.temperature } : {}),
    stream: true,
    ...(asksForUsage ? { stream_options: { include_usage: true } } : {}),
  })
}

async function refusalOf(response: IncomingMessage, nowMs: number): Promise<ModelFailure> {
  const text = await textOf(response)
  const header = (name: string) => {
    const value = response.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const wait = Number(header('retry-after-ms'))
  const waitMs = Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : retryAfterMs(header('retry-after'), nowMs)
  return complaintOf(response.statusCode ?? 500, bodyIn(text), waitMs)
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk as string
    if (text.length > ERROR_BODY_LENGTH_MAX) break
  }
  return text
}

function bodyIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text.trim() === '' ? undefined : text }
  }
}

function errorPart(error: unknown, signal: AbortSignal, hasBegun: boolean): ModelPart {
  if (signal.aborted) {
    return signal.reason instanceof Late ? modelError(failure('timeout', signal.reason.message)) : CANCELLED
  }
  if (error instanceof Refused) return modelError(error.failure)
  if (error instanceof NotConnected) return modelError(failure('connection', error.message))
  if (error instanceof Silent) return modelError(failure('timeout', error.message))
  const message = error instanceof Error ? error.message : String(error)
  return modelError(networkFailureOf(error, hasBegun) ?? failure(hasBegun ? 'stream-broken' : 'connection', message))
}
