// In front of every HTTP request and upgrade: refuses blocked addresses, limits what one network address may request of this node, in
// units of work, and how fast one socket may request. Refusals cost their sender too, and no one else. A refused request was not parsed
// and reached no route.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorEnvelope } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { blockedRefusal } from '#domain/blocks/blocked-refusal.ts'
import { Refusal } from '#domain/refusal.ts'
import { gcra } from '#lib/rates/gcra.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { SpendBook } from '#lib/rates/spend-book.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { operatorTest } from '../admin/admins.ts'
import type { IdentifyAdmin } from '../admin/admins.ts'
import { preferredLanguage } from './accept-language.ts'
import { corsHeaders } from './headers.ts'
import { clientAddress, networkOf } from './network.ts'
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
  /** Default: no one is an operator. */
  readonly identifyAdmin?: IdentifyAdmin
  /** Whether an operator has blocked an address. Default: none is. */
  readonly isBlocked?: (address: string) => boolean
}

/** Health checks, which must be answered when nothing else is: limited by socket only. */
const HEALTH = new Set(['/healthz', '/readyz'])
const ADMIN = '/api/admin/'
const IMPORTS = `${ADMIN}catalogue/`
/** These addresses run a search when they have a query. */
const SEARCHES = new Set(['/api/products', '/', '/en', '/en/'])
/** Pictures that are drawn pixel by pixel. */
const DRAWN = /^\/covers\/[^/]+\.png$/
/** Lists the whole catalogue. */
const SITEMAP = '/sitemap.xml'
/** Pages that the server renders, and their forms. */
const PAGE = /^\/(?:en\/?$|en\/|(?:series|support|cart|checkout|orders|sign-in|sign-out)(?:\/|$)|$)/
/** Units of work. A file is one; the others are relative to its CPU time. */
const COSTS = { file: 1, call: 5, completion: 10, search: 40, person: 500, upgrade: 10 } as const
const BODY_BYTES_PER_UNIT = 1024
/** The assumed cost of a body without a length. */
const BODY_UNITS_MAX = 1024
/** Added for a refused request, so that guessing tokens costs more than ordinary requests. */
const REFUSED_COST = 10
const UNAUTHENTICATED_COST = 50
const LIMITED_COST = 5
const LIMITED_SHARE = 0.1
/**
 * Requests of one address that cost at least `HEAVY_COST` run one after another, with a gap between them; each delays the
 * next for at most `HEAVY_MS_MAX`.
 */
const HEAVY_COST = 30
const HEAVY_MS_MAX = 1000
const HEAVY_GAP_MS = 2
/**
 * Node parses everything that arrived in one piece, and discards unanswered requests: some 20 ms for each closed socket.
 */
const PIPELINED_COST = 1000
/** Rate of one socket: far more than a browser needs. Behind a proxy many clients share one. */
const SOCKET_RATE = { perSecond: 50, burst: 200 }
/** Unanswered requests of one socket. Browsers wait for each response; some programs do not. */
const UNANSWERED_MAX = 32
/** HTTP connections besides WebSockets: in total, and of one address within its WebSocket limit. */
const HTTP_CONNECTIONS_MAX = 4000
const HTTP_PER_SEAT = 2

/** How long an unwanted connection waits before it is closed, and how many may wait at once. */
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
  readonly #isOperator: (authorization: string | undefined) => boolean
  readonly #sockets = new WeakMap<Socket, SocketState>()
  readonly #seats: Seats
  readonly #heavy = new Map<string, Promise<void>>()
  #dropping = 0
  #connections = 0

  constructor(parts: GateParts) {
    this.#parts = parts
    this.#isOperator = parts.identifyAdmin === undefined ? () => false : operatorTest(parts.identifyAdmin)
    this.#book = new SpendBook(parts.config.rates.requests)
    this.#seats = new Seats(parts.config.rates.address.connectionsMax * (1 + HTTP_PER_SEAT))
  }

  /** Limits the connections of a server, before anything is read from them. */
  attach(server: Server): void {
    const { clock, config, telemetry } = this.#parts
    server.maxConnections = config.server.connectionsMax + HTTP_CONNECTIONS_MAX
    server.prependListener('connection', (socket: Socket) => {
      this.#connections += 1
      socket.once('close', () => (this.#connections -= 1))
    })
    server.on('drop', () => telemetry.count('http_connection_dropped_total', { reason: 'server-limit' }))
    // A proxy's connections belong to its clients.
    if (config.server.trustProxy) return
    // Replaces Node's own listener, so that an unwanted connection costs no parser.
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

  /** Open TCP connections, those that wait to be dropped included. */
  get connections(): number {
    return this.#connections
  }

  /** Closes a connection unread and late: a sender that reconnects whenever it is closed has to wait. */
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

  /** Wraps the listener: calls it for requests that may pass. */
  inFrontOf(serve: RequestListener): RequestListener {
    return (request, response) => {
      // The rest of a pipeline after the first excess request.
      if (request.socket.destroyed) return
      request.url = originForm(request.url)
      const waitMs = this.#waitOfSocket(request, response)
      const network = this.#parts.findNetwork(request)
      if (waitMs === undefined) {
        this.#book.charge(network, PIPELINED_COST, this.#parts.clock.now())
        return void request.socket.destroy()
      }
      if (this.#isBlocked(request)) return this.#refuseBlocked(network, { request, response })
      const cost = this.#costOf(request)
      const limitedMs = Math.max(waitMs, cost === 0 ? 0 : this.spend(network, cost))
      if (limitedMs > 0) return this.#refuseAsTooMany({ request, response }, limitedMs)
      if (cost > 0) response.once('close', () => this.#chargeRefusal(network, response.statusCode))
      if (cost < HEAVY_COST) serve(request, response)
      else this.#inTurn(network, { request, response }, () => serve(request, response))
    }
  }

  /** An operator's import is large, and is not limited by its size. A wrong token costs what everyone's request costs. */
  #costOf(request: IncomingMessage): number {
    const isImport = request.url?.startsWith(IMPORTS) === true
    return isImport && this.#isOperator(request.headers.authorization) ? COSTS.call : costOf(request)
  }

  /** Runs expensive requests of one address one after another, so that others come in between. */
  #inTurn(network: string, { request, response }: Exchange, serve: () => void): void {
    const { clock } = this.#parts
    const before = this.#heavy.get(network) ?? Promise.resolve()
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const mine = before.then(() => isOver)
    this.#heavy.set(network, mine)
    void mine.then(() => this.#heavy.get(network) === mine && this.#heavy.delete(network))
    const over = () => void clock.after(HEAVY_GAP_MS, resolve)
    response.once('close', over)
    // The cost of a long body is reading it: its response may take a minute.
    request.once('end', over)
    void before.then(() => {
      clock.after(HEAVY_MS_MAX, resolve)
      if (!response.destroyed) serve()
    })
  }

  /** Returns 0 when the network may proceed; otherwise how long it has to wait. */
  spend(network: string, cost: number): number {
    const now = this.#parts.clock.now()
    const waitMs = this.#book.spend(network, cost, now)
    if (waitMs > 0) this.#book.charge(network, Math.max(LIMITED_COST, cost * LIMITED_SHARE), now)
    return waitMs
  }

  /** Like `spend`, for a WebSocket frame, which the connection delays by itself: such a delay costs nothing extra. */
  spendFrame(network: string): number {
    return this.#book.spend(network, COSTS.file, this.#parts.clock.now())
  }

  /** Whether the address of a WebSocket, as `addressOf` returned it, is blocked now. Counted when it is. */
  isSocketBlocked(address: string): boolean {
    const { isBlocked, telemetry } = this.#parts
    if (isBlocked?.(address) !== true) return false
    telemetry.count('request_blocked_total', { by: 'address' })
    return true
  }

  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#parts.config.server)
  }

  /** Health checks are answered, and an operator with a token must be able to remove a block. */
  #isBlocked(request: IncomingMessage): boolean {
    const { isBlocked } = this.#parts
    if (isBlocked?.(this.addressOf(request)) !== true) return false
    const { headers, url = '' } = request
    return !HEALTH.has(pathOf(url)) && !(url.startsWith(ADMIN) && this.#isOperator(headers.authorization))
  }

  /** Like `spend`, for an upgrade to a WebSocket. */
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

  #refuseAsTooMany(exchange: Exchange, retryAfterMs: number): void {
    this.#parts.telemetry.count('request_rate_limited_total', { door: 'http' })
    this.#refuse(exchange, new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'requests' } }))
  }

  /** Its refusals cost a blocked sender as much as others' do: one that continues is soon closed unread. */
  #refuseBlocked(network: string, exchange: Exchange): void {
    const { clock, telemetry } = this.#parts
    telemetry.count('request_blocked_total', { by: 'address' })
    this.#book.charge(network, REFUSED_COST, clock.now())
    this.#refuse(exchange, blockedRefusal())
  }

  #refuse({ request, response }: Exchange, refusal: Refusal): void {
    const { clock, config, refuse } = this.#parts
    const language = preferredLanguage(request.headers['accept-language'], request.url)
    // Before anything of the request is read: the caller is not known, and a name for the address is not worth its cost here.
    const by = { door: isOnV1(request.url) ? 'v1' : 'http' }
    const refused = isOnV1(request.url)
      ? openAiRefuser(refuse)(refusal, undefined, by)
      : refuse(refusal, language, { by })
    const content = isOnV1(request.url)
      ? refused.body
      : ({ success: false, error: refused.body, metadata: { timestamp: isoTime(clock.now()) } } as ErrorEnvelope)
    response.writeHead(refused.status, {
      ...corsHeaders(request.headers.origin, config.server),
      ...refused.headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      // A sender that does not wait must reconnect; a proxy's connection also serves other people.
      ...(config.server.trustProxy ? {} : { connection: 'close' }),
    })
    response.end(JSON.stringify(content))
  }
}

/** A target with a scheme and a host, as a client of a proxy sends it, without them: everything behind reads one form. */
function originForm(url = '/'): string {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return target.startsWith('/') || target === url ? target : `/${target}`
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** By the path and the query as the router reads them: another spelling of an address costs the same. */
function costOf({ headers, url = '' }: IncomingMessage): number {
  const [given = '', query = ''] = url.split(/[?#](.*)/s)
  const path = decoded(given)
  if (HEALTH.has(path)) return 0
  const body = bodyUnits(headers)
  if (isOnV1(path)) return COSTS.completion + body
  if (path === SITEMAP || (SEARCHES.has(path) && new URLSearchParams(query).getAll('q').some(Boolean)))
    return COSTS.search
  if (path === '/api/me' || path === '/api/me/export') return COSTS.person
  if (DRAWN.test(path)) return COSTS.completion
  return path.startsWith('/api/') || PAGE.test(path) ? COSTS.call + body : COSTS.file + body
}

/** An address that cannot be decoded is returned unchanged: no route matches it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function bodyUnits(headers: IncomingMessage['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_UNITS_MAX
  const bytes = Number(headers['content-length'] ?? 0)
  return Math.min(BODY_UNITS_MAX, Math.ceil((Number.isFinite(bytes) ? bytes : 0) / BODY_BYTES_PER_UNIT))
}
