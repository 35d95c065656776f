// In front of every HTTP request and upgrade: what one network address may ask of this node, in units of work, and how fast
// one socket may ask. Refusals cost their sender too, and nobody else. What is refused here was not parsed and reached no route.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorEnvelope } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { gcra } from '#lib/rates/gcra.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { SpendBook } from '#lib/rates/spend-book.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { preferredLanguage } from './accept-language.ts'
import { corsHeaders } from './headers.ts'
import { networkOf } from './network.ts'
import type { FindNetwork } from './network.ts'
import { isOnV1, openAiRefuser } from '../openai/error.ts'
import type { Refuse } from './refuse.ts'
import { Seats } from '../connection/seats.ts'

export interface GateParts {
  readonly config: Pick<Config, 'server' | 'rates'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly refuse: Refuse
  readonly findNetwork: FindNetwork
}

/** What load balancers ask, and what must answer when nothing else does: by socket it is limited too. */
const HEALTH = new Set(['/healthz', '/readyz'])
/** Units of work. A file is one; the others are by what they take of the processor beside it. */
const COSTS = { file: 1, call: 5, completion: 10, search: 40, person: 500, upgrade: 10 } as const
const BODY_BYTES_PER_UNIT = 1024
/** What an unannounced body is taken for. */
const BODY_UNITS_MAX = 1024
/** Added when it was refused: guessing tokens, and asking for what is refused, is dearer than asking. */
const REFUSED_COST = 10
const UNAUTHENTICATED_COST = 50
const LIMITED_COST = 5
const LIMITED_SHARE = 0.1
/** From here on requests of one address wait for each other: at most so long, and with a gap in between. */
const HEAVY_COST = 30
const HEAVY_MS_MAX = 1000
const HEAVY_GAP_MS = 2
/** Node parses all that came in one piece, and takes apart what was not answered: some 20 ms for each cut. */
const PIPELINED_COST = 1000
/** Of one socket, whatever is asked: far more than a browser does. Behind a proxy many clients share one. */
const SOCKET_RATE = { perSecond: 50, burst: 200 }
/** Requests of one socket that are not answered yet. Browsers wait for each answer; some programs do not. */
const UNANSWERED_MAX = 32
/** HTTP connections besides WebSockets: of all, and of one address in those that it may have of WebSockets. */
const HTTP_CONNECTIONS_MAX = 4000
const HTTP_PER_SEAT = 2

/** How long a connection that is not wanted is left waiting, and how many are. */
const DROP_MS = 1000
const DROPPING_MAX = 1000

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface SocketState {
  unanswered: number
  arrivalAt: number | undefined
}

export class RequestGate {
  readonly #parts: GateParts
  readonly #book: SpendBook
  readonly #sockets = new WeakMap<Socket, SocketState>()
  readonly #seats: Seats
  readonly #heavy = new Map<string, Promise<void>>()
  #dropping = 0

  constructor(parts: GateParts) {
    this.#parts = parts
    this.#book = new SpendBook(parts.config.rates.requests)
    this.#seats = new Seats(parts.config.rates.address.connectionsMax * (1 + HTTP_PER_SEAT))
  }

  /** Bounds the connections of a server, before anything is read from them. */
  attach(server: Server): void {
    const { clock, config, telemetry } = this.#parts
    server.maxConnections = config.server.connectionsMax + HTTP_CONNECTIONS_MAX
    server.on('drop', () => telemetry.count('http_connection_dropped_total', { reason: 'server-limit' }))
    // A proxy's connections are its clients'.
    if (config.server.trustProxy) return
    // In place of Node's own listener, so that a connection that is not wanted costs no parser.
    const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      const network = networkOf(socket.remoteAddress ?? '')
      const seat = this.#book.isDeepInDebt(network, clock.now()) ? undefined : this.#seats.take(network)
      if (seat === undefined) return this.#drop(socket)
      socket.once('close', () => seat[Symbol.dispose]())
      for (const serve of listeners) serve.call(server, socket)
    })
  }

  /** Unread, and not at once: a sender that begins anew whenever it is cut has to wait for that. */
  #drop(socket: Socket): void {
    const { clock, telemetry } = this.#parts
    telemetry.count('http_connection_dropped_total', { reason: 'address-limit' })
    socket.on('error', () => {})
    if (this.#dropping >= DROPPING_MAX) return void socket.destroy()
    this.#dropping += 1
    clock.after(DROP_MS, () => {
      this.#dropping -= 1
      socket.destroy()
    })
  }

  /** The listener for requests that may pass. */
  inFrontOf(serve: RequestListener): RequestListener {
    return (request, response) => {
      // The rest of what was pipelined after the request that was one too many.
      if (request.socket.destroyed) return
      const waitMs = this.#waitOfSocket(request, response)
      const network = this.#parts.findNetwork(request)
      if (waitMs === undefined) {
        this.#book.charge(network, PIPELINED_COST, this.#parts.clock.now())
        return void request.socket.destroy()
      }
      const cost = costOf(request)
      const limitedMs = Math.max(waitMs, cost === 0 ? 0 : this.spend(network, cost))
      if (limitedMs > 0) return this.#refuse(request, response, limitedMs)
      if (cost > 0) response.once('close', () => this.#chargeRefusal(network, response.statusCode))
      if (cost < HEAVY_COST) serve(request, response)
      else this.#inTurn(network, { request, response }, () => serve(request, response))
    }
  }

  /** What is heavy is done one after the other for each address, so that others come in between. */
  #inTurn(network: string, { request, response }: Exchange, serve: () => void): void {
    const { clock } = this.#parts
    const before = this.#heavy.get(network) ?? Promise.resolve()
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const mine = before.then(() => isOver)
    this.#heavy.set(network, mine)
    void mine.then(() => this.#heavy.get(network) === mine && this.#heavy.delete(network))
    const over = () => void clock.after(HEAVY_GAP_MS, resolve)
    response.once('close', over)
    // What is heavy in a long body is to read it: its answer may take a minute.
    request.once('end', over)
    void before.then(() => {
      clock.after(HEAVY_MS_MAX, resolve)
      if (!response.destroyed) serve()
    })
  }

  /** 0 when the network may have it; else how long it has to wait. */
  spend(network: string, cost: number): number {
    const now = this.#parts.clock.now()
    const waitMs = this.#book.spend(network, cost, now)
    if (waitMs > 0) this.#book.charge(network, Math.max(LIMITED_COST, cost * LIMITED_SHARE), now)
    return waitMs
  }

  /** As `spend`, for a frame of a WebSocket, which waits by itself: having to wait costs nothing. */
  spendFrame(network: string): number {
    return this.#book.spend(network, COSTS.file, this.#parts.clock.now())
  }

  /** As `spend`, for a connection that wants to become a WebSocket. */
  spendUpgrade(request: IncomingMessage): number {
    const waitMs = this.spend(this.#parts.findNetwork(request), COSTS.upgrade)
    if (waitMs > 0) this.#parts.telemetry.count('request_rate_limited_total', { door: 'ws' })
    return waitMs
  }

  #waitOfSocket({ socket }: IncomingMessage, response: ServerResponse): number | undefined {
    const { clock, config, telemetry } = this.#parts
    const state = this.#sockets.get(socket) ?? { unanswered: 0, arrivalAt: undefined }
    this.#sockets.set(socket, state)
    state.unanswered += 1
    response.once('close', () => (state.unanswered -= 1))
    if (state.unanswered > UNANSWERED_MAX) {
      telemetry.count('request_rate_limited_total', { door: 'http-pipelined' })
      return undefined
    }
    if (config.server.trustProxy) return 0
    const taken = gcra(SOCKET_RATE, state.arrivalAt, clock.now())
    if (taken.allowed) state.arrivalAt = taken.arrivalAt
    return taken.allowed ? 0 : taken.retryAfterMs
  }

  #chargeRefusal(network: string, status: number): void {
    if (status < 400 || status >= 500) return
    this.#book.charge(network, status === 401 ? UNAUTHENTICATED_COST : REFUSED_COST, this.#parts.clock.now())
  }

  #refuse(request: IncomingMessage, response: ServerResponse, retryAfterMs: number): void {
    const { clock, config, refuse, telemetry } = this.#parts
    telemetry.count('request_rate_limited_total', { door: 'http' })
    const refusal = new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'requests' } })
    const language = preferredLanguage(request.headers['accept-language'])
    const refused = isOnV1(request.url) ? openAiRefuser(refuse)(refusal) : refuse(refusal, language)
    const content = isOnV1(request.url)
      ? refused.body
      : ({ success: false, error: refused.body, metadata: { timestamp: isoTime(clock.now()) } } as ErrorEnvelope)
    response.writeHead(refused.status, {
      ...corsHeaders(request.headers.origin, config.server),
      ...refused.headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      // A sender that does not wait has to begin anew; a proxy's connection is other people's too.
      ...(config.server.trustProxy ? {} : { connection: 'close' }),
    })
    response.end(JSON.stringify(content))
  }
}

function costOf({ headers, url = '' }: IncomingMessage): number {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (HEALTH.has(path)) return 0
  const body = bodyUnits(headers)
  if (isOnV1(url)) return COSTS.completion + body
  if (path === '/api/products' && /[?&]q=[^&]/.test(url)) return COSTS.search
  if (path === '/api/me' || path === '/api/me/export') return COSTS.person
  return path.startsWith('/api/') ? COSTS.call + body : COSTS.file + body
}

function bodyUnits(headers: IncomingMessage['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_UNITS_MAX
  const bytes = Number(headers['content-length'] ?? 0)
  return Math.min(BODY_UNITS_MAX, Math.ceil((Number.isFinite(bytes) ? bytes : 0) / BODY_BYTES_PER_UNIT))
}
