// One client connection, whatever carries it: client frames in, server frames out, readers of turn logs between.
// It owns no turn: closing it ends its readers and never an answer. No sockets and no time but the Clock's, so
// that the same code runs behind `ws.ts` and in the virtual-time simulation.
import { closeCodes, PROTOCOL } from '@mangaassist/protocol'
import type { AcceptedFrame, ChatFrame, ClientFrame, Language, ServerFrame } from '@mangaassist/protocol'
import type { App } from '#app.ts'
import type { Config } from '#config.ts'
import type { Principal } from '#domain/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/iso-time.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'
import { writtenLanguage } from './accept-language.ts'
import { parseClientFrame } from './client-frame.ts'
import type { About } from './client-frame.ts'
import { Pace } from './pace.ts'
import { invalid } from './problem.ts'
import { receivedFrom } from './received.ts'
import type { Refuse } from './refuse.ts'

export interface Transport {
  send(text: string): void
  /** What was sent and has not left this machine yet. */
  bufferedBytes(): number
  close(code: number, reason: string): void
}

export interface ConnectionParts {
  readonly app: Pick<App, 'chat' | 'read' | 'stop' | 'watch' | 'quota'>
  readonly clock: Clock
  readonly chance: Chance
  readonly refuse: Refuse
  readonly config: Pick<Config, 'server' | 'streaming'>
  readonly transport: Transport
  readonly principal: Principal
  /** Of error messages, until the client writes something. */
  readonly language: Language
}

const TURNS_FOLLOWED_MAX = 8
const SESSIONS_WATCHED_MAX = 8
const REQUESTS_IN_FLIGHT_MAX = 32
const ASKED_KEPT_MAX = 64
const BUSY_RETRY_MS = 1000
const HARD_CAP_FACTOR = 4

interface Reader {
  readonly abort: AbortController
  readonly ended: Promise<void>
}

export class Connection {
  readonly id: string
  /** Resolves once `ready` is sent; frames received sooner wait for it. */
  readonly opened: Promise<void>
  readonly #parts: ConnectionParts
  readonly #pace: Pace
  readonly #gone = new AbortController()
  readonly #readers = new Map<string, Reader>()
  readonly #watched = new Map<string, AbortController>()
  /** Turns asked here, of which a watch tells nothing new. */
  readonly #asked = new Set<string>()
  #language: Language
  #requestsInFlight = 0
  #chatsInFlight = 0
  #sentAt: number
  #activeAt: number
  #heartbeat: Disposable
  #idle: Disposable

  constructor(parts: ConnectionParts) {
    const { chance, clock, config, transport } = parts
    this.#parts = parts
    this.#language = parts.language
    this.id = chance.id('conn')
    this.#sentAt = this.#activeAt = clock.now()
    this.#pace = new Pace({
      clock,
      limits: config.streaming,
      bufferedBytes: () => transport.bufferedBytes(),
      onStalled: () => this.close(closeCodes.tooSlow, 'too slow: resume when you can'),
      signal: this.#gone.signal,
    })
    this.#heartbeat = clock.after(config.streaming.heartbeatMs, () => this.#beat())
    this.#idle = clock.after(config.server.connectionIdleMs, () => this.#lookIdle())
    this.opened = this.#open()
  }

  /** A text frame from the client. Handled in the order received; answers may overtake each other. */
  receive(text: string): void {
    if (this.#gone.signal.aborted) return
    this.#activeAt = this.#parts.clock.now()
    void this.opened.then(() => this.#handle(text))
  }

  /** A binary frame: the protocol has none. */
  receiveBinary(): void {
    void this.opened.then(() => this.#tellRefusal(invalid('frame', 'must be text, not binary'), {}))
  }

  close(code: number, reason: string): void {
    if (this.#gone.signal.aborted) return
    this.#parts.transport.close(code, reason)
    this.closed()
  }

  /** The transport is gone, by whomever: readers and timers end, turns run on. */
  closed(): void {
    if (this.#gone.signal.aborted) return
    this.#heartbeat[Symbol.dispose]()
    this.#idle[Symbol.dispose]()
    this.#gone.abort()
    for (const reader of this.#readers.values()) reader.abort.abort()
    for (const watcher of this.#watched.values()) watcher.abort()
  }

  /** Resolves when the turns followed now have been told to their end, or the client is gone. */
  async quiet(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => reader.ended))
  }

  async #open(): Promise<void> {
    const { app, config, principal } = this.#parts
    try {
      const quota = await app.quota(principal)
      const { heartbeatMs } = config.streaming
      this.#send({
        type: 'ready',
        connectionId: this.id,
        protocol: PROTOCOL,
        heartbeatMs,
        principal: { tier: principal.tier, quota },
      })
    } catch (error) {
      this.#tellRefusal(error, {})
      this.close(closeCodes.internal, 'could not open')
    }
  }

  async #handle(text: string): Promise<void> {
    const parsed = parseClientFrame(text)
    if (parsed.kind === 'invalid') return this.#tellRefusal(parsed.refusal, parsed.about)
    if (this.#requestsInFlight >= REQUESTS_IN_FLIGHT_MAX) {
      return this.#tellRefusal(tooMany('requestsInFlight', REQUESTS_IN_FLIGHT_MAX), parsed.about)
    }
    this.#requestsInFlight += 1
    try {
      await this.#serve(parsed.frame)
    } catch (error) {
      this.#tellRefusal(error, parsed.about)
    } finally {
      this.#requestsInFlight -= 1
    }
  }

  #serve(frame: ClientFrame): Promise<void> | void {
    switch (frame.type) {
      case 'chat':
        return this.#chat(frame)
      case 'resume':
        return this.#follow(frame.turnId, frame.offset)
      case 'stop':
        return this.#parts.app.stop(this.#parts.principal, frame.turnId)
      case 'watch':
        return this.#watch(frame.sessionId)
      case 'ping':
        return this.#sendHeartbeat()
    }
  }

  async #chat(frame: ChatFrame): Promise<void> {
    const { app, principal } = this.#parts
    this.#language = writtenLanguage(frame) ?? this.#language
    // Before the turn exists: one that could not be followed here should not be started from here.
    this.#requireSlot()
    this.#chatsInFlight += 1
    let accepted
    try {
      accepted = await app.chat(receivedFrom(frame, { principal, route: 'stream', requestId: frame.requestId }))
    } finally {
      this.#chatsInFlight -= 1
    }
    const { duplicate, sessionId, turnId } = accepted
    this.#remember(turnId)
    this.#send({
      type: 'accepted',
      requestId: frame.requestId,
      turnId,
      sessionId,
      ...(duplicate ? { duplicate } : {}),
    })
    // A watcher may already follow its own new turn; a duplicate is read again from the start, for its own request.
    if (duplicate || !this.#readers.has(turnId)) this.#follow(turnId, 0)
  }

  /** Reads a turn to the client; a turn that is already read is read anew from the offset asked for now. */
  #follow(turnId: string, offset: number): void {
    if (this.#gone.signal.aborted) return
    const former = this.#readers.get(turnId)
    if (former === undefined) this.#requireSlot()
    former?.abort.abort()
    const abort = new AbortController()
    const reader: Reader = {
      abort,
      ended: this.#read(turnId, offset, abort.signal).finally(() => this.#forget(turnId, reader)),
    }
    this.#readers.set(turnId, reader)
  }

  async #read(turnId: string, offset: number, signal: AbortSignal): Promise<void> {
    const { app, principal } = this.#parts
    try {
      await this.#pace.room()
      let last: ServerFrame | undefined
      for await (const frame of await app.read(principal, turnId, offset, signal)) {
        if (signal.aborted) return
        this.#send(frame)
        last = frame
        await this.#pace.room()
      }
      if (last?.type !== 'done' && !signal.aborted)
        throw new Error('a turn was read to its end without being told how it ended')
    } catch (error) {
      if (!signal.aborted) this.#tellRefusal(error, { turnId })
    }
  }

  #forget(turnId: string, reader: Reader): void {
    // A reader that was replaced is no longer the one in the map.
    if (this.#readers.get(turnId) !== reader) return
    this.#readers.delete(turnId)
    this.#activeAt = this.#parts.clock.now()
  }

  async #watch(sessionId: string): Promise<void> {
    const { app, principal } = this.#parts
    const former = this.#watched.get(sessionId)
    if (former === undefined && this.#watched.size >= SESSIONS_WATCHED_MAX)
      throw tooMany('sessionsWatched', SESSIONS_WATCHED_MAX)
    former?.abort()
    const abort = new AbortController()
    this.#watched.set(sessionId, abort)
    try {
      const turns = await app.watch(principal, sessionId, abort.signal)
      void this.#tellOfAll(sessionId, turns, abort)
    } catch (error) {
      this.#unwatch(sessionId, abort)
      throw error
    }
  }

  async #tellOfAll(
    sessionId: string,
    turns: AsyncIterable<{ turnId: string; requestId: string }>,
    abort: AbortController,
  ): Promise<void> {
    try {
      for await (const { requestId, turnId } of turns) {
        if (abort.signal.aborted) return
        if (!this.#asked.has(turnId)) this.#tellOf({ type: 'accepted', requestId, turnId, sessionId })
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#tellRefusal(error, { sessionId })
    } finally {
      this.#unwatch(sessionId, abort)
    }
  }

  #tellOf(accepted: AcceptedFrame): void {
    this.#send(accepted)
    try {
      this.#follow(accepted.turnId, 0)
    } catch (error) {
      this.#tellRefusal(error, { turnId: accepted.turnId })
    }
  }

  #unwatch(sessionId: string, abort: AbortController): void {
    if (this.#watched.get(sessionId) === abort) this.#watched.delete(sessionId)
  }

  #remember(turnId: string): void {
    this.#asked.add(turnId)
    if (this.#asked.size <= ASKED_KEPT_MAX) return
    for (const oldest of this.#asked.values().take(1)) this.#asked.delete(oldest)
  }

  #requireSlot(): void {
    if (this.#readers.size + this.#chatsInFlight >= TURNS_FOLLOWED_MAX)
      throw tooMany('turnsFollowed', TURNS_FOLLOWED_MAX)
  }

  #tellRefusal(error: unknown, about: About): void {
    const { requestId, sessionId, turnId } = about
    const { body } = this.#parts.refuse(error, this.#language, { connectionId: this.id, turnId })
    // The frame has no place for a session: a watch that fails is known by its details.
    const details =
      requestId === undefined && turnId === undefined && sessionId !== undefined
        ? { ...body.details, sessionId }
        : body.details
    this.#send({
      type: 'error',
      ...(requestId === undefined ? {} : { requestId }),
      ...(turnId === undefined ? {} : { turnId }),
      ...body,
      ...(details === undefined ? {} : { details }),
    })
  }

  #send(frame: ServerFrame): void {
    if (this.#gone.signal.aborted) return
    const { clock, config, transport } = this.#parts
    transport.send(JSON.stringify(frame))
    this.#sentAt = clock.now()
    const { frameBytesMax, highWaterBytes } = config.streaming
    // Answers keep to the pace; this bounds what a client can make us queue by asking and never reading.
    const hardCapBytes = HARD_CAP_FACTOR * highWaterBytes + TURNS_FOLLOWED_MAX * frameBytesMax
    if (transport.bufferedBytes() > hardCapBytes) this.close(closeCodes.tooSlow, 'too slow: resume when you can')
  }

  #sendHeartbeat(): void {
    this.#send({ type: 'heartbeat', at: isoTime(this.#parts.clock.now()) })
  }

  /** By its own timer, never from the loop that waits for a model: it is when that waits that a heartbeat matters. */
  #beat(): void {
    const { clock, config } = this.#parts
    const { heartbeatMs } = config.streaming
    if (clock.now() - this.#sentAt >= heartbeatMs) this.#sendHeartbeat()
    if (this.#gone.signal.aborted) return
    this.#heartbeat = clock.after(heartbeatMs - (clock.now() - this.#sentAt), () => this.#beat())
  }

  #lookIdle(): void {
    const { clock, config } = this.#parts
    const { connectionIdleMs } = config.server
    if (this.#readers.size > 0 || this.#watched.size > 0 || this.#requestsInFlight > 0) this.#activeAt = clock.now()
    const idleMs = clock.now() - this.#activeAt
    if (idleMs >= connectionIdleMs) return this.close(closeCodes.idle, 'idle')
    this.#idle = clock.after(connectionIdleMs - idleMs, () => this.#lookIdle())
  }
}

function tooMany(limit: string, max: number): Refusal {
  return new Refusal('RATE_LIMITED', { retryAfterMs: BUSY_RETRY_MS, details: { limit, max } })
}
