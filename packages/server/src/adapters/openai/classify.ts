// Maps the error responses of OpenAI-compatible servers, and the errors of their connections, to the failure classes of the
// model port.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import type { IncomingMessage } from 'node:http'
import type { FailedAt } from '#domain/model/drive-stream.ts'
import { failure, failureOf, networkFailureOf } from '#domain/model/model-failure.ts'
import type { ModelFailure } from '#domain/model/model-part.ts'
import { requestIdIn } from '#domain/model/vendor-fault.ts'
import { retryAfterMs } from '#lib/time/retry-after.ts'
import { NotConnected } from './client.ts'

const ERROR_BODY_LENGTH_MAX = 64 * 1024

/** The server answered with something other than a stream. */
export class Refused extends Error {
  readonly failure: ModelFailure

  constructor(refusal: ModelFailure) {
    super(refusal.message)
    this.failure = refusal
  }
}

export function classifyOpenAiError(error: unknown, { hasOpened }: FailedAt): ModelFailure {
  if (error instanceof Refused) return error.failure
  if (error instanceof NotConnected) return failure('connection', error.message)
  const message = error instanceof Error ? error.message : String(error)
  return networkFailureOf(error, hasOpened) ?? failure(hasOpened ? 'stream-broken' : 'connection', message)
}

/** Reads the body of a response that is not a stream. */
export async function refusalOf(response: IncomingMessage, nowMs: number): Promise<ModelFailure> {
  const text = await textOf(response)
  const header = (name: string) => {
    const value = response.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const wait = Number(header('retry-after-ms'))
  const waitMs = Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : retryAfterMs(header('retry-after'), nowMs)
  const refusal = complaintOf(response.statusCode ?? 500, bodyIn(text), waitMs)
  const requestId = requestIdIn(response.headers)
  return requestId === undefined ? refusal : { ...refusal, fault: { ...refusal.fault, requestId } }
}

/** OpenAI's `{ error: { message, type, code } }`, Ollama's `{ error: text }`, vLLM's `{ message }` or `{ detail }`. */
export function complaintOf(status: number, body: unknown, retryAfterMs?: number): ModelFailure {
  const outer = fieldsOf(body)
  const error = typeof outer.error === 'string' ? { message: outer.error } : { ...outer, ...fieldsOf(outer.error) }
  const { message, detail, code, type } = error as Readonly<Record<string, unknown>>
  const text = [message, detail].find((value) => typeof value === 'string') ?? `HTTP ${status}`
  // Some servers put the HTTP status of the error into its code.
  const inner = status === 200 && typeof code === 'number' && code >= 400 ? code : status
  return failureOf({ status: inner, message: text, names: [code, type], retryAfterMs })
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
