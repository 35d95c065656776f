// One HTTP exchange with an OpenAI-compatible server: over a pool of keep-alive connections, with a connect timeout, and
// closed when its signal aborts.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { traceparentOf } from '#domain/telemetry/trace-context.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface OpenAiClientParts {
  readonly baseURL: string
  readonly apiKey?: string
  readonly limits: { readonly connectMs: number; readonly connectionsMax: number }
  readonly clock: Clock
}

export class NotConnected extends Error {}

/** Resolves with the response's headers. The signal also ends the body. */
export type Post = (body: string, signal: AbortSignal, trace?: TraceContext) => Promise<IncomingMessage>

export function openAiClient({ baseURL, apiKey, limits, clock }: OpenAiClientParts): Post {
  const url = new URL(`${baseURL.replace(/\/+$/, '')}/chat/completions`)
  const pool = { keepAlive: true, maxSockets: limits.connectionsMax, scheduling: 'lifo' as const }
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new HttpsAgent(pool) : new HttpAgent(pool)
  const begin = isTls ? httpsRequest : httpRequest
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }

  return (body, signal, trace) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const length = Buffer.byteLength(body)
    const traced = trace === undefined ? {} : { traceparent: traceparentOf(trace) }
    const request = begin(url, { method: 'POST', agent, headers: { ...headers, ...traced, 'content-length': length } })
    let reason: Error | undefined
    const closeFor = (why: Error) => {
      reason ??= why
      // Without a reason: a socket that is already back in the pool would throw it as an uncaught error.
      request.destroy()
    }
    const abort = () => closeFor(asError(signal.reason))
    // The listener stays for the life of the request, because it aborts the body too.
    signal.addEventListener('abort', abort, { once: true })
    request.once('close', () => signal.removeEventListener('abort', abort))
    watchConnecting(request, () =>
      fairTimers({ clock }).after(limits.connectMs, () => closeFor(new NotConnected('no connection in time'))),
    )
    request.once('response', (response) => {
      // The reader gets errors from the stream; an error after the reader has ended must not end the process.
      response.on('error', () => {})
      resolve(response)
    })
    request.on('error', (error) => reject(reason ?? error))
    request.end(body)
    return promise
  }
}

function watchConnecting(request: ClientRequest, onConnecting: () => Disposable): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = onConnecting()
    const stop = () => timer[Symbol.dispose]()
    socket.once('connect', stop)
    socket.once('close', stop)
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
