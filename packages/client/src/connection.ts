// The connection that outlives its sockets: it is opened when a call needs it and reopened with jittered backoff while
// one still does, for a bounded number of attempts without progress. Calls see one endless stream of frames. The
// browser's `offline` and `online` take effect at once, except that no reconnect is hurried during a pause.
import type { ClientFrame, ServerFrame } from '@mangaassist/protocol'
import { addressFinder } from './address.ts'
import { ChatError } from './chat-error.ts'
import { deferred } from './deferred.ts'
import { networkGone, openLink } from './link.ts'
import type { Link, LinkEvent, Lost, LocalEvent } from './link.ts'
import { networkOf } from './network.ts'
import { createPressure } from './pressure.ts'
import type { Pressure } from './pressure.ts'
import type { ClientOptions, ConnectionState, Socket, SocketConstructor } from './types.ts'
import { pauseFor, unlessAborted } from './wait.ts'

type Send = (frame: ClientFrame) => void
/** Sends what a reader needs on each new socket; `post` adds an event to that reader's own stream. */
export type Greet = (send: Send, post: (event: LocalEvent) => void) => void
/** `aborted` is emitted once, when the reader's signal aborts while there is a connection. */
export type ConnectionEvent = Exclude<LinkEvent, Lost>

export interface Connection {
  /** Yields every frame from now on, across losses. An abort while there is no socket throws the signal's reason. */
  events(greet: Greet, signal?: AbortSignal): AsyncGenerator<ConnectionEvent, never>
  /** Resolves when the frame has been written to a socket. */
  send(frame: ClientFrame): Promise<void>
  /** A requested frame has arrived: the count of failed attempts starts again. */
  progressed(): void
  readonly pressure: Pressure
  /** The address of a new socket, with the identity of this client. Rejects with `Lost` when there is none now. */
  readonly address: () => Promise<string>
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal
  close(): void
}

const attemptsMax = 8
const backoffMaxMs = 8_000
/**
 * The wait before the first new attempt, by close code: `leastMs`, which is never shortened, plus up to `spreadMs` at
 * random. The spread matters because a node that shuts down loses all its clients at once, and they must not
 * reconnect at once; a full node (4429) needs time.
 */
const anyLoss = { leastMs: 0, spreadMs: 500 }
const firstWaits: Readonly<Record<number, typeof anyLoss>> = {
  1001: { leastMs: 0, spreadMs: 2_000 },
  1011: { leastMs: 1_000, spreadMs: 4_000 },
  4429: { leastMs: 10_000, spreadMs: 8_000 },
}
const subprotocol = 'mangaassist.v1'
const missingWebSocket =
  'This platform has no WebSocket (Node has one from version 22 on): pass one as the option webSocket, ' +
  "for example the default export of the package 'ws'."

/**
 * `link` resolves when there is a connection; concurrent calls share it. `attempt` aborts the attempt or the open
 * connection. `closed` is not one of these states but the signal `closing`, so that no late callback can undo it.
 */
type State =
  /** `isMissed`: lost by a network failure while no call needed it; it is reopened when the network is back. */
  | { readonly type: 'idle'; readonly isMissed: boolean }
  /** An attempt, or the part of the wait before it that is never shortened. */
  | { readonly type: 'dialling'; readonly link: Promise<Link>; readonly attempt: AbortController }
  | { readonly type: 'backing-off'; readonly link: Promise<Link>; readonly endWait: () => void }
  | {
      readonly type: 'open'
      readonly link: Promise<Link>
      readonly attempt: AbortController
      readonly check: () => void
    }

export function createConnection(options: ClientOptions): Connection {
  const open = socketOpener(options)
  const closing = new AbortController()
  const findAddress = addressFinder(options, closing.signal)
  const network = networkOf(options.page ?? (globalThis as ClientOptions['page'] & object))
  const report = (next: ConnectionState): void => options.onState?.(next)
  let state: State = { type: 'idle', isMissed: false }
  /** Failed attempts and losses since the last progress: a server that drops every connection counts as unreachable. */
  let failures = 0
  let lostCode = networkGone.code
  const pressure = createPressure({
    closing: closing.signal,
    onLifted: () => options.onNotice?.({ type: 'backpressure', action: 'none', retryAfterMs: 0, message: '' }),
  })

  function link(): Promise<Link> {
    if (closing.signal.aborted) return Promise.reject(closing.signal.reason)
    if (state.type !== 'idle') return state.link
    const idle = state
    const { promise, resolve, reject } = deferred<Link>()
    begin(promise)
    if (failures === 0) report('connecting')
    dial(promise).then(resolve, (error: unknown) => {
      state = idle
      failures = 0
      if (!closing.signal.aborted) report('idle')
      reject(error)
    })
    return promise
  }

  function begin(promise: Promise<Link>): AbortSignal {
    const attempt = new AbortController()
    state = { type: 'dialling', link: promise, attempt }
    return AbortSignal.any([closing.signal, attempt.signal])
  }

  async function dial(promise: Promise<Link>): Promise<Link> {
    for (;;) {
      if (failures >= attemptsMax) throw unreachable()
      if (failures > 0) await backOff(promise)
      const signal = begin(promise)
      try {
        const address = await unlessAborted(findAddress(), signal)
        const opened = await openLink({ open: () => open(address), signal, onFrame, onLost })
        // Otherwise it was lost or closed at the same moment, and its readers learn that from the link itself.
        if (state.type === 'dialling') {
          state = { ...state, type: 'open', check: opened.check }
          report('open')
        }
        return opened
      } catch (error) {
        closing.signal.throwIfAborted()
        if (!isLost(error)) throw error
        throwIfRefused(error)
        lostCode = error.code
        // Attempts while offline do not count: the client waits for the network, however long that takes.
        failures = network.isOffline() ? Math.max(failures, 1) : failures + 1
        if (network.isOffline()) report('lost')
      }
    }
  }

  /** The random part of the wait ends early when the network is back. */
  async function backOff(promise: Promise<Link>): Promise<void> {
    const { leastMs, spreadMs } = firstWaits[lostCode] ?? anyLoss
    const { promise: back, resolve: endWait } = deferred()
    if (leastMs > 0) await pauseFor(leastMs, new Promise(() => {}), closing.signal)
    state = { type: 'backing-off', link: promise, endWait }
    // Full jitter: clients that were disconnected together must not reconnect together.
    const ms = Math.random() * Math.min(backoffMaxMs, spreadMs * 2 ** (failures - 1))
    await pauseFor(network.isOffline() ? backoffMaxMs : ms, back, closing.signal)
  }

  function onLost({ code }: Lost, inUse: boolean): void {
    const isMissed = !inUse && network.isOffline()
    state = { type: 'idle', isMissed }
    lostCode = code
    if (closing.signal.aborted) return
    if (inUse) failures += 1
    report(inUse || isMissed ? 'lost' : 'idle')
  }

  const unsubscribe = network.listen((change) => {
    if (change === 'offline') {
      // An open or opening socket is dead, but has not noticed it yet.
      if ('attempt' in state) state.attempt.abort(networkGone)
      if ('link' in state) report('lost')
      return
    }
    if (state.type === 'open') state.check()
    // Many phones may wake at the same hour: during a pause they do not reconnect earlier.
    pressure.pauseOver().then(reconnectNow, () => {})
  })

  function reconnectNow(): void {
    if (state.type === 'backing-off') state.endWait()
    if (state.type === 'idle' && state.isMissed && !network.isOffline()) link().catch(() => {})
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.type === 'ready') pressure.reconnected()
    if (frame.type === 'backpressure') pressure.apply(frame)
    if (frame.type === 'backpressure' || frame.type === 'transferred') options.onNotice?.(frame)
  }

  async function* events(greet: Greet, signal?: AbortSignal): AsyncGenerator<ConnectionEvent, never> {
    for (;;) {
      signal?.throwIfAborted()
      const joined = await unlessAborted(link(), signal)
      const { inbox, end } = joined.listen()
      const onAbort = (): void => inbox.push({ type: 'aborted' })
      signal?.addEventListener('abort', onAbort)
      try {
        greet(joined.send, inbox.push)
        yield* untilLost(inbox.next)
      } finally {
        signal?.removeEventListener('abort', onAbort)
        end()
      }
    }
  }

  return {
    events,
    send: async (frame) => (await link()).send(frame),
    progressed() {
      // Frames that arrived before a loss are often read after it: that loss still counts as one.
      failures = state.type === 'open' ? 0 : Math.min(failures, 1)
    },
    pressure,
    address: findAddress,
    closing: closing.signal,
    close() {
      if (closing.signal.aborted) return
      unsubscribe()
      closing.abort(new ChatError({ code: 'CLIENT_CLOSED', message: 'The client was closed.' }))
      report('closed')
    },
  }
}

async function* untilLost(next: () => Promise<LinkEvent>): AsyncGenerator<ConnectionEvent, void> {
  for (;;) {
    const event = await next()
    if (event.type === 'lost') return throwIfRefused(event)
    yield event
  }
}

/** The server closed because of our identity or our message: the same would be refused again. */
function throwIfRefused({ code }: Lost): void {
  if (code === 1008) throw new ChatError({ code: 'FORBIDDEN', message: 'The server refused the connection.' })
  if (code === 1009) throw new ChatError({ code: 'PAYLOAD_TOO_LARGE', message: 'The message is too large.' })
}

function unreachable(): ChatError {
  return new ChatError({ code: 'CONNECTION_LOST', message: 'The server cannot be reached.' })
}

export function isLost(value: unknown): value is Lost {
  return (value as Lost | undefined)?.type === 'lost'
}

/** Those of every request of the client; a browser ignores them. */
export function headersOf({ origin, headers }: Pick<ClientOptions, 'origin' | 'headers'>) {
  return origin === undefined ? headers : { ...headers, origin }
}

function socketOpener(options: ClientOptions): (address: string) => Socket {
  const { webSocket } = options
  const platforms = (globalThis as { WebSocket?: SocketConstructor }).WebSocket
  const Constructor = webSocket ?? platforms
  if (Constructor === undefined) throw new Error(missingWebSocket)
  const sent = headersOf(options)
  if (sent === undefined) return (address) => new Constructor(address, [subprotocol])
  if (Constructor !== platforms) return (address) => new Constructor(address, [subprotocol], { headers: sent })
  // Node's WebSocket accepts an options object in place of the subprotocols; the standard type does not have it.
  const init = { protocols: [subprotocol], headers: sent } as unknown as string[]
  return (address) => new Constructor(address, init)
}
