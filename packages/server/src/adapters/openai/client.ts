// One HTTP exchange with a server of the OpenAI wire: over a pool of kept-alive connections, with a limit on connecting
// and one on the wait for headers, and closed for good when its signal aborts.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import type { Clock } from '#ports/clock/port.ts'

interface ConnectionLimits {
  readonly connectMs: number
  /** To the response's headers. */
  readonly firstByteMs: number
  /** Of the body, between two pieces of it. */
  readonly stallMs: number
  readonly connectionsMax: number
}

export interface ConnectionParts {
  readonly baseURL: string
  readonly apiKey?: string
  readonly limits: ConnectionLimits
  readonly clock: Clock
}

export interface Exchange {
  readonly response: IncomingMessage
  /** A piece of the body was read: the next is due within `stallMs`. */
  heard(): void
  /** Why we closed it ourselves, if we did; Node says no more than that the body was cut. */
  closedFor(): Error | undefined
  /** Closes the connection, whatever is still to come. */
  close(): void
}

export class NotConnected extends Error {}
export class Silent extends Error {}

export type Post = (body: string, signal: AbortSignal) => Promise<Exchange>

export function connection({ baseURL, apiKey, limits, clock }: ConnectionParts): Post {
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

  return (body, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Exchange>()
    const length = Buffer.byteLength(body)
    const request = begin(url, { method: 'POST', agent, headers: { ...headers, 'content-length': length } })
    let reason: Error | undefined
    const closeFor = (why: Error) => {
      reason ??= why
      // Without the reason: a socket that is already back in the pool would throw it at the process.
      request.destroy()
    }
    const abort = () => closeFor(asError(signal.reason))
    // The listener stays for as long as the request does: the body is aborted by it too.
    signal.addEventListener('abort', abort, { once: true })
    const watchdog = silenceWatchdog(clock, () => closeFor(new Silent('the connection fell silent')))
    watchdog.expectWithin(limits.firstByteMs)
    const heard = () => watchdog.expectWithin(limits.stallMs)
    request.once('close', () => {
      signal.removeEventListener('abort', abort)
      watchdog[Symbol.dispose]()
    })
    watchConnecting(request, () =>
      fairTimers({ clock }).after(limits.connectMs, () => closeFor(new NotConnected('no connection in time'))),
    )
    request.once('response', (response) => {
      heard()
      // Whoever reads it hears of errors; one that comes when nobody reads any more must not end the process.
      response.on('error', () => {})
      resolve({ response, heard, closedFor: () => reason, close: () => request.destroy() })
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
