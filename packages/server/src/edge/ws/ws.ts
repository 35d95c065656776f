// The WebSocket door: upgrades at `/ws`, checks whether the client may connect, and gives each socket to a Connection. A
// refusal after the upgrade is a frame and a close code, because a browser sees nothing else.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeCodes, PROTOCOL } from '@mangaassist/protocol'
import type { ErrorEnvelope } from '@mangaassist/protocol'
import { WebSocket, WebSocketServer } from 'ws'
import { blockedRefusal } from '#domain/blocks/blocked-refusal.ts'
import { Refusal } from '#domain/refusal.ts'
import { NEVER } from '#lib/async/never.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import { readTraceContext } from '#domain/telemetry/trace-context.ts'
import type { RefusedBy } from '#domain/turn-records/refused-by.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import { preferredLanguage } from '../http/accept-language.ts'
import type { AdmitConnection, AdmittedConnection, RefusedConnection } from '../connection/admit-connection.ts'
import { Connection } from '../connection/connection.ts'
import type { Transport } from '../connection/connection.ts'
import { guestCookieHeaders } from '../identity/guest-cookie.ts'
import { closeCodeLabel } from './close-code-label.ts'
import { inSlices } from './in-slices.ts'
import { TimerWheel } from '../connection/timer-wheel.ts'
import { hostCheck } from '../http/hosts.ts'
import type { HostAllowed } from '../http/hosts.ts'
import { addressed } from '../http/origin.ts'
import { queuedBytes } from '../connection/pace.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'

const PATH = '/ws'
const PROBE_MS = 30_000
/** How long a socket may take to close, and a reader to get its turn's end, before it is cut. */
const GOODBYE_MS = 2000

interface Live {
  readonly connection: Connection
  /** Its seat among the open connections. */
  readonly seat: Disposable
  readonly address: string
  /** Whether it answered the last probe. */
  alive: boolean
}

/** What the door uses of the common parts, and the admission of connections. */
export type WebSocketParts = Pick<
  HttpParts,
  'app' | 'clock' | 'config' | 'findNetwork' | 'gate' | 'nameNetwork' | 'random' | 'readiness' | 'refuse' | 'telemetry'
> & { readonly admitConnection: AdmitConnection }

/** A request that would be a WebSocket. */
interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly scope: Scope
}

/** Shared by all sockets of a door and called on the socket, so that an idle one holds no closures. */
interface Listeners {
  readonly ping: (this: WebSocket, data: Buffer) => void
  readonly pong: (this: WebSocket) => void
  readonly message: (this: WebSocket, data: Buffer, isBinary: boolean) => void
  readonly error: (this: WebSocket, error: Error) => void
  readonly close: (this: WebSocket, code: number) => void
}

/**
 * Keeps the code of the first close frame that the server sent: the `close` event has another where the client does not answer it, or sent
 * what ws refuses.
 */
class DoorSocket extends WebSocket {
  closedWith: number | undefined

  override close(code?: number, reason?: string | Buffer): void {
    this.closedWith ??= code
    super.close(code, reason)
  }
}

export class WebSocketDoor {
  readonly #parts: WebSocketParts
  readonly #http: Routes
  readonly #live = new Map<WebSocket, Live>()
  readonly #cookies = new WeakMap<IncomingMessage, readonly string[]>()
  readonly #sockets: WebSocketServer
  readonly #timers: TimerWheel
  readonly #shared: ConstructorParameters<typeof Connection>[0]
  readonly #listeners = listenersOf(this.#live, {
    telemetry: () => this.#parts.telemetry,
    isBlocked: (address) => this.#parts.gate.isSocketBlocked(address),
  })
  readonly #pressure: Disposable
  readonly #isOurs: HostAllowed
  #probe: Disposable

  constructor(http: Routes, parts: WebSocketParts) {
    this.#http = http
    this.#parts = parts
    this.#sockets = new WebSocketServer({
      noServer: true,
      WebSocket: DoorSocket,
      maxPayload: parts.config.server.frameBytesMax,
      perMessageDeflate: false,
      // One frame in each turn of the event loop, so that a piece with thousands of frames delays no one else.
      allowSynchronousEvents: false,
      autoPong: false,
      handleProtocols: () => PROTOCOL,
    })
    this.#sockets.on('headers', (headers, request) => {
      for (const cookie of this.#cookies.get(request) ?? []) headers.push(`Set-Cookie: ${cookie}`)
    })
    const { app, random, clock, config, refuse, telemetry } = parts
    this.#timers = new TimerWheel(clock)
    this.#isOurs = hostCheck(config.server)
    this.#shared = { app, random, clock, config, refuse, telemetry, timers: this.#timers }
    this.#pressure = app.pressure.listen(() => this.#sendPressure())
    http.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    this.#probe = clock.after(PROBE_MS, () => this.#probeAll())
  }

  /** How many connections are open. */
  get size(): number {
    return this.#live.size
  }

  /** Asks the clients to reconnect: each when it has read the turns that it reads now. */
  dismiss(): void {
    inSlices(this.#parts.clock, this.#live.values(), ({ connection }) => {
      void connection.quiet().then(() => connection.close(closeCodes.goingAway, 'going away'))
    })
  }

  /** Sends every reader the end of its turn, then asks every client to reconnect. */
  async close(): Promise<void> {
    const { clock } = this.#parts
    this.#probe[Symbol.dispose]()
    this.#pressure[Symbol.dispose]()
    const allQuiet = () => Promise.all([...this.#live.values()].map(({ connection }) => connection.quiet()))
    await withDeadline(clock, { ms: GOODBYE_MS, signal: NEVER }, allQuiet)
    for (const { connection } of this.#live.values()) connection.close(closeCodes.goingAway, 'going away')
    await Promise.all(
      [...this.#sockets.clients].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
    )
    this.#timers[Symbol.dispose]()
    this.#sockets.close()
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { gate, readiness, telemetry } = this.#parts
    const scope = telemetry.scope({ door: 'ws', name: 'connect', parent: readTraceContext(request.headers) })
    const upgrade = { request, socket, head, scope }
    if (gate.isSocketBlocked(gate.addressOf(request))) return this.#decline(upgrade, blockedRefusal())
    const waitMs = gate.spendUpgrade(request)
    if (waitMs > 0) return this.#decline(upgrade, new Refusal('RATE_LIMITED', { retryAfterMs: waitMs }))
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
    if (request.url?.split('?')[0] !== PATH) return this.#decline(upgrade, new Refusal('NOT_FOUND'))
    if (!readiness.isAnswering) return this.#decline(upgrade, this.#notAnswering())
    if (offered !== undefined && !offered.includes(PROTOCOL)) {
      return this.#decline(upgrade, invalid('sec-websocket-protocol', `must offer ${PROTOCOL}`))
    }
    // Until it is a WebSocket, nothing else handles the raw socket's errors.
    const gone = () => socket.destroy()
    socket.on('error', gone)
    void this.#admit(request).then((entry) => {
      socket.off('error', gone)
      this.#open(entry, upgrade)
    })
  }

  /** Upgrades the socket of an admitted or refused client; releases everything that was taken when the upgrade fails. */
  #open(entry: AdmittedConnection | RefusedConnection, upgrade: Upgrade): void {
    const { head, request, scope, socket } = upgrade
    const undo = () => void (entry.kind === 'admitted' && entry.undo())
    if (socket.destroyed) {
      scope.end('disconnected')
      return undo()
    }
    if (!this.#parts.readiness.isAnswering) {
      undo()
      return this.#decline(upgrade, this.#notAnswering())
    }
    let isOpened = false
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      isOpened = true
      if (entry.kind === 'refused') this.#dismiss(opened, upgrade, entry)
      else this.#connect(opened, { ...upgrade, ...entry })
    })
    if (isOpened) return
    // Its headers were invalid.
    scope.end('refused')
    undo()
  }

  #notAnswering(): Refusal {
    return this.#parts.app.leaving.closed() ?? new Refusal('MAINTENANCE')
  }

  async #admit(request: IncomingMessage): Promise<AdmittedConnection | RefusedConnection> {
    const { admitConnection, config, nameNetwork } = this.#parts
    const asked = addressed(request, config.server)
    const cookies = this.#http.parseCookie(request.headers.cookie ?? '')
    const { authorization, origin } = request.headers
    const entry = await admitConnection({
      isOurHost: this.#isOurs(request),
      addressed: asked,
      origin,
      authorization,
      cookies,
      ticket: ticketIn(request),
      network: nameNetwork(request),
    })
    const { identity } = entry
    if (identity !== undefined)
      this.#cookies.set(request, guestCookieHeaders(this.#http, identity, { cookies, secure: asked.secure }))
    return entry
  }

  #connect(socket: WebSocket, from: AdmittedConnection & Upgrade): void {
    const { request, scope, seat, socket: raw } = from
    const { expiresAt, principal } = from.identity
    const { findNetwork, gate, nameNetwork } = this.#parts
    const address = findNetwork(request)
    const transport = new SocketTransport(socket, raw, this)
    const language = preferredLanguage(request.headers['accept-language'])
    const trace = readTraceContext(request.headers) === undefined ? undefined : scope.trace
    const peer = { transport, principal, network: nameNetwork(request), expiresAt, language, trace }
    const connection = new Connection(this.#shared, { ...peer, spendFrame: () => gate.spendFrame(address) })
    this.#live.set(socket, { connection, seat, address: gate.addressOf(request), alive: true })
    scope.end('completed', { connectionId: connection.id })
    this.#parts.telemetry.count('websocket_opened_total')
    // Nothing is read before `ready` is sent: earlier frames stay in the client's socket.
    socket.pause()
    void connection.opened.then(() => socket.resume())
    const { close, error, message, ping, pong } = this.#listeners
    socket.on('ping', ping).on('pong', pong).on('message', message).on('error', error).on('close', close)
  }

  #dismiss(socket: WebSocket, { request, scope }: Upgrade, why: RefusedConnection): void {
    socket.on('error', () => socket.terminate()).on('close', this.#listeners.close)
    const { body } = this.#parts.refuse(why.refusal, preferredLanguage(request.headers['accept-language']), {
      scope,
      by: this.#by(request),
    })
    socket.send(JSON.stringify({ type: 'error', ...body }))
    this.sayGoodbye(socket, why.code, why.reason)
  }

  /** Sends the close frame, and cuts a socket that does not answer it. */
  sayGoodbye(socket: WebSocket, code: number, reason: string): void {
    socket.close(code, reason)
    const cut = this.#parts.clock.after(GOODBYE_MS, () => socket.terminate())
    socket.once('close', () => cut[Symbol.dispose]())
  }

  /** No upgrade: a plain HTTP response on the raw socket. */
  #decline({ request, scope, socket }: Upgrade, refusal: Refusal): void {
    const { clock, refuse } = this.#parts
    const { body, headers, status } = refuse(refusal, preferredLanguage(request.headers['accept-language']), {
      scope,
      by: this.#by(request),
    })
    const envelope: ErrorEnvelope = { success: false, error: body, metadata: { timestamp: isoTime(clock.now()) } }
    const content = JSON.stringify(envelope)
    const lines = Object.entries({
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(content)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.on('error', () => socket.destroy())
    socket.end(`HTTP/1.1 ${status} ${body.code}\r\n${lines.join('')}\r\n${content}`)
  }

  /** Whose connection is refused: before it is open, only the address is known. */
  #by(request: IncomingMessage): RefusedBy {
    return { door: 'ws', route: 'connect', network: () => this.#parts.nameNetwork(request) }
  }

  /** Finds sockets whose other end vanished: they do not answer a ping. */
  #probeAll(): void {
    const { clock } = this.#parts
    inSlices(clock, this.#live, ([socket, live]) => {
      if (!live.alive) return socket.terminate()
      live.alive = false
      socket.ping()
    })
    this.#probe = clock.after(PROBE_MS, () => this.#probeAll())
  }

  #sendPressure(): void {
    inSlices(this.#parts.clock, this.#live.values(), ({ connection }) => connection.sendPressure())
  }
}

/** The transport of one socket; a class, because there are thousands. */
class SocketTransport implements Transport {
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #door: WebSocketDoor

  constructor(socket: WebSocket, raw: Duplex, door: WebSocketDoor) {
    this.#socket = socket
    this.#raw = raw
    this.#door = door
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  progressMark(): number {
    return queuedBytes(this.#raw)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  ignore(): void {
    this.#socket.pause()
    dropReceived(this.#socket)
  }

  close(code: number, reason: string): void {
    this.#door.sayGoodbye(this.#socket, code, reason)
  }
}

interface ListenerParts {
  readonly telemetry: () => Telemetry
  readonly isBlocked: (address: string) => boolean
}

function listenersOf(live: Map<WebSocket, Live>, { isBlocked, telemetry }: ListenerParts): Listeners {
  return {
    ping(data) {
      live.get(this)?.connection.receiveControl(() => this.pong(data))
    },
    pong() {
      const found = live.get(this)
      if (found?.alive === false) found.alive = true
      else found?.connection.receiveControl(() => {})
    },
    message(data, isBinary) {
      const found = live.get(this)
      // Its address was blocked after it had connected.
      if (found !== undefined && isBlocked(found.address)) found.connection.dismiss(blockedRefusal(), 'blocked')
      else if (isBinary) found?.connection.receiveBinary()
      else found?.connection.receive(data.toString('utf8'))
    },
    // Too big, not UTF-8, invalid: ws closes with the right code itself.
    error(error) {
      telemetry().log('debug', 'websocket.failed', { connectionId: live.get(this)?.connection.id }, error)
    },
    close(code) {
      live.get(this)?.connection.closed()
      live.get(this)?.seat[Symbol.dispose]()
      live.delete(this)
      const ours = this instanceof DoorSocket ? this.closedWith : undefined
      telemetry().count('websocket_closed_total', { code: closeCodeLabel(ours ?? code) })
    },
  }
}

/** Drops received frames: one piece from the network can have ten thousand of them, which ws would deliver one by one. */
function dropReceived(socket: WebSocket): void {
  const { _receiver: receiver } = socket as unknown as { _receiver?: { _buffers?: unknown[]; _bufferedBytes?: number } }
  if (receiver?._buffers === undefined || receiver._bufferedBytes === undefined) return
  receiver._buffers.length = 0
  receiver._bufferedBytes = 0
}

function ticketIn({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?')
  return query < 0 ? undefined : (new URLSearchParams(url.slice(query)).get('ticket') ?? undefined)
}
