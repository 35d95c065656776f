// One client connection over any transport: client frames in, server frames out, readers of turn logs between. It owns no
// turn: closing it ends its readers and never an answer. It uses no sockets and only the Clock's time, so that the same
// code runs behind `ws.ts` and in the virtual-time simulation. Thousands of connections are idle, so objects that only a
// busy one needs are created when it becomes busy.
import { closeCodes, PROTOCOL } from '@mangaassist/protocol'
import type { ChatFrame, ClientFrame, Language, ServerFrame } from '@mangaassist/protocol'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { ReaderEnd } from '#domain/turn-records/turn-record.ts'
import { loggedRequestId } from '#domain/telemetry/logged-request-id.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import { heldFor, isMilder, jittered, RELEASE_MS } from '#app/pressure/pressure.ts'
import type { PressureAction } from '#app/pressure/pressure.ts'
import { writtenLanguage } from '../http/accept-language.ts'
import { backpressureWords } from './backpressure-words.ts'
import { parseClientFrame } from './client-frame.ts'
import type { About } from './client-frame.ts'
import { FrameFlow } from './frame-flow.ts'
import type { Inflow } from './frame-flow.ts'
import { Subscriptions, tooMany, TURNS_FOLLOWED_MAX } from './subscriptions.ts'
import type { Timed, TimerWheel } from './timer-wheel.ts'
import type { Outflow } from './pace.ts'
import { invalid } from '../http/problem.ts'
import { receivedFrom } from './received.ts'
import type { Refuse } from '../http/refuse.ts'

export interface Transport extends Outflow, Inflow {
  send(text: string): void
  close(code: number, reason: string): void
}

/** What the connections of a door share. */
export interface ConnectionParts {
  readonly app: Pick<App, 'chat' | 'read' | 'stop' | 'watch' | 'quota' | 'pressure'>
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly refuse: Refuse
  readonly config: Pick<Config, 'server' | 'streaming' | 'rates'>
  readonly timers: TimerWheel
}

export interface Peer {
  readonly transport: Transport
  readonly principal: Principal
  /** A pseudonym of the client's network. */
  readonly network?: string
  /** Charges its network for a frame: returns how long to wait, or 0. Default: nothing. */
  readonly spendFrame?: () => number
  /** When the proof of identity expires; undefined for never. */
  readonly expiresAt?: number | undefined
  /** Language of error messages, until the client writes something. */
  readonly language: Language
  /** Trace of the request that opened the connection, where the client sent one: its frames link to it. */
  readonly trace?: TraceContext | undefined
}

const REQUESTS_IN_FLIGHT_MAX = 32
const HARD_CAP_FACTOR = 4
const OPENED = Promise.resolve()
const FREE = () => 0

export class Connection implements Timed {
  readonly id: string
  dueAt: number
  readonly #parts: ConnectionParts
  readonly #transport: Transport
  readonly #principal: Principal
  readonly #network: string | undefined
  readonly #expiresAt: number
  readonly #trace: TraceContext | undefined
  #opening: Promise<void>
  #language: Language
  #following: Subscriptions | undefined
  readonly #spendFrame: () => number
  #flow: FrameFlow | undefined
  #requestsInFlight = 0
  #sentAt: number
  #activeAt: number
  #isGone = false
  #pressure: PressureAction = 'none'
  #release: Disposable | undefined

  constructor(parts: ConnectionParts, peer: Peer) {
    const { random, clock, config, timers } = parts
    this.#parts = parts
    this.#transport = peer.transport
    this.#principal = peer.principal
    this.#network = peer.network
    this.#expiresAt = peer.expiresAt ?? Infinity
    this.#language = peer.language
    this.#trace = peer.trace
    this.#spendFrame = peer.spendFrame ?? FREE
    this.id = random.id('conn')
    this.#sentAt = this.#activeAt = clock.now()
    const firstDueMs = Math.min(config.streaming.heartbeatMs, config.server.connectionIdleMs)
    this.dueAt = Math.min(this.#sentAt + firstDueMs, this.#expiresAt)
    timers.add(this)
    this.#opening = this.#open()
  }

  /** Resolves when `ready` is sent; earlier frames wait for it. */
  get opened(): Promise<void> {
    return this.#opening
  }

  /** Handles a text frame from the client, in the order received; replies may overtake each other. */
  receive(text: string): void {
    if (this.#isGone) return
    this.#activeAt = this.#parts.clock.now()
    this.#flowing().admit(() => void this.#opening.then(() => this.#handle(text)))
  }

  /** Handles a binary frame: the protocol has none. */
  receiveBinary(): void {
    const refusal = invalid('frame', 'must be text, not binary')
    this.#flowing().admit(
      () => void this.#opening.then(() => this.#refuseFrame(refusal, {}, this.#begin('binary', {}))),
    )
  }

  /** Handles a control frame of the transport, such as a ping: it counts like any other. */
  receiveControl(answer: () => void): void {
    if (!this.#isGone) this.#flowing().admit(answer)
  }

  close(code: number, reason: string): void {
    if (this.#isGone) return
    this.#transport.close(code, reason)
    this.closed(code === closeCodes.tooSlow ? 'too-slow' : 'closed')
  }

  /** Closes the connection of a client that may no longer use it. */
  dismiss(refusal: Refusal, reason: string): void {
    if (this.#isGone) return
    this.#sendRefusal(refusal, {})
    this.close(closeCodes.policy, reason)
  }

  /** The transport has closed, by default because the client has left: readers end, turns continue. */
  closed(how: ReaderEnd = 'left'): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#release?.[Symbol.dispose]()
    this.#flow?.end()
    this.#following?.end(how)
  }

  /** Resolves when the turns being read have reached their end, or the client has left. */
  async quiet(): Promise<void> {
    await this.#following?.quiet()
  }

  /**
   * Sends the client the server's pressure when it has changed. A hold ends for each client at a moment of its own, or all of them would send at
   * once.
   */
  sendPressure(): void {
    const { app, clock, random } = this.#parts
    this.#release?.[Symbol.dispose]()
    if (!isMilder(app.pressure.now.action, this.#pressure)) return this.#tellPressure()
    this.#release = clock.after(random.float() * RELEASE_MS, () => this.#tellPressure())
  }

  #tellPressure(): void {
    const { app, random } = this.#parts
    const { aboutMs, action } = app.pressure.now
    if (action === this.#pressure || this.#isGone) return
    this.#pressure = action
    this.#send({
      type: 'backpressure',
      action,
      retryAfterMs: (action === 'pause' ? heldFor : jittered)(aboutMs, random.float()),
      message: backpressureWords[action][this.#language],
    })
  }

  /** Called by a timer, never from the loop that waits for a model: heartbeats matter most while that loop waits. */
  onDue(): number | undefined {
    const { clock, config } = this.#parts
    const { heartbeatMs } = config.streaming
    const { connectionIdleMs } = config.server
    const now = clock.now()
    if (this.#isGone) return undefined
    if (this.#requestsInFlight > 0 || this.#following?.isWanted === true) this.#activeAt = now
    if (now - this.#sentAt >= heartbeatMs) this.#sendHeartbeat()
    if (now - this.#activeAt >= connectionIdleMs) this.close(closeCodes.idle, 'idle')
    // Turns continue: with a new proof the client resumes them.
    if (now >= this.#expiresAt) this.close(closeCodes.identityExpired, 'identity expired')
    if (this.#isGone) return undefined
    return Math.min(this.#sentAt + heartbeatMs, this.#activeAt + connectionIdleMs, this.#expiresAt)
  }

  async #open(): Promise<void> {
    const { app, config } = this.#parts
    try {
      const quota = await app.quota(this.#principal)
      const { heartbeatMs } = config.streaming
      this.#send({
        type: 'ready',
        connectionId: this.id,
        protocol: PROTOCOL,
        heartbeatMs,
        // The effective tier: an operator may have changed it.
        principal: { tier: quota.tier, quota },
      })
      this.sendPressure()
    } catch (error) {
      this.#sendRefusal(error, {})
      this.close(closeCodes.internal, 'could not open')
    }
    this.#opening = OPENED
  }

  async #handle(text: string): Promise<void> {
    const parsed = parseClientFrame(text)
    const { about } = parsed
    const scope = this.#begin(parsed.kind === 'invalid' ? 'invalid' : parsed.frame.type, about)
    if (parsed.kind === 'invalid') return this.#refuseFrame(parsed.refusal, about, scope)
    if (this.#requestsInFlight >= REQUESTS_IN_FLIGHT_MAX) {
      return this.#sendRefusal(tooMany('requestsInFlight', REQUESTS_IN_FLIGHT_MAX), about, scope)
    }
    this.#requestsInFlight += 1
    try {
      await this.#serve(parsed.frame, scope)
      // The scope of a resumed turn ends with its reader.
      if (parsed.frame.type !== 'resume') scope.end('completed')
    } catch (error) {
      this.#sendRefusal(error, about, scope)
    } finally {
      this.#requestsInFlight -= 1
    }
  }

  #begin(name: string, { requestId, turnId }: About): Scope {
    const links = this.#trace === undefined ? {} : { links: [this.#trace] }
    const fields = { connectionId: this.id }
    return this.#parts.telemetry.scope({
      door: 'ws',
      name,
      requestId: loggedRequestId(requestId),
      turnId,
      fields,
      ...links,
    })
  }

  #flowing(): FrameFlow {
    const { clock, config, telemetry } = this.#parts
    this.#flow ??= new FrameFlow({
      clock,
      rate: config.rates.frames,
      inflow: this.#transport,
      spend: this.#spendFrame,
      onExcess: (why) => {
        telemetry.count('websocket_cut_total', { reason: why })
        this.#transport.ignore()
        this.close(closeCodes.policy, why.replaceAll('-', ' '))
      },
    })
    return this.#flow
  }

  #refuseFrame(refusal: Refusal, about: About, scope: Scope): void {
    this.#sendRefusal(refusal, about, scope)
    this.#flowing().noteInvalid()
  }

  #serve(frame: ClientFrame, scope: Scope): Promise<void> | void {
    switch (frame.type) {
      case 'chat':
        return this.#chat(frame, scope)
      case 'resume':
        return this.#reads().follow(frame.turnId, { offset: frame.offset, sha256: frame.sha256 }, scope)
      case 'stop':
        return this.#parts.app.stop(this.#principal, frame.turnId)
      case 'watch':
        return this.#reads().watch(frame.sessionId)
      case 'ping':
        return this.#sendHeartbeat()
    }
  }

  async #chat(frame: ChatFrame, scope: Scope): Promise<void> {
    const { requestId } = frame
    this.#language = writtenLanguage(frame) ?? this.#language
    const following = this.#reads()
    const { duplicate, sessionId, turnId } = await this.#ask(frame, following, scope)
    following.wrote(sessionId, duplicate ? turnId : undefined)
    this.#send({ type: 'accepted', requestId, turnId, sessionId, ...(duplicate ? { duplicate } : {}) })
    // A duplicate is read again from the start, for its own request.
    if (duplicate || !following.isReading(turnId)) following.follow(turnId, { offset: 0 })
  }

  #ask(frame: ChatFrame, following: Subscriptions, scope: Scope): ReturnType<App['chat']> {
    const context = {
      principal: this.#principal,
      route: 'stream',
      requestId: frame.requestId,
      writer: this.id,
      scope,
      ...(frame.attempt === undefined ? {} : { attempt: frame.attempt }),
      ...(this.#network === undefined ? {} : { network: this.#network }),
    } as const
    // Before the turn exists: a turn that could not be read here should not be started here.
    const reserved = following.reserve()
    return this.#parts.app.chat(receivedFrom(frame, context)).finally(() => reserved[Symbol.dispose]())
  }

  #reads(): Subscriptions {
    this.#following ??= new Subscriptions(this.#parts, {
      connectionId: this.id,
      principal: this.#principal,
      outflow: this.#transport,
      send: (frame) => this.#send(frame),
      sendRefusal: (error, about, scope) => this.#sendRefusal(error, about, scope),
      onStalled: () => this.#giveUp(),
      onRead: () => void (this.#activeAt = this.#parts.clock.now()),
    })
    return this.#following
  }

  #sendRefusal(error: unknown, about: About, scope?: Scope): void {
    const { requestId, sessionId, turnId } = about
    const by = {
      door: 'ws',
      route: 'frame',
      principal: this.#principal,
      sessionId,
      requestId: requestId ?? this.id,
      network: () => this.#network,
    }
    const whose = scope === undefined ? { fields: { connectionId: this.id, turnId } } : { scope }
    const { body } = this.#parts.refuse(error, this.#language, { ...whose, by })
    // The frame has no field for a session: a failed watch is recognised by its details.
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

  /** Returns its bytes. */
  #send(frame: ServerFrame): number {
    if (this.#isGone) return 0
    const { clock, config, telemetry } = this.#parts
    const text = JSON.stringify(frame)
    const bytes = Buffer.byteLength(text)
    this.#transport.send(text)
    this.#sentAt = clock.now()
    if (frame.type === 'chunk') telemetry.observe('delivery_frame_bytes', bytes, { door: 'ws' })
    const { frameBytesMax, highWaterBytes } = config.streaming
    // Answers respect the pace; this limits what a client can make us queue by sending and never reading.
    const hardCapBytes = HARD_CAP_FACTOR * highWaterBytes + TURNS_FOLLOWED_MAX * frameBytesMax
    if (this.#transport.bufferedBytes() > hardCapBytes) {
      telemetry.count('reader_closed_total', { door: 'ws', reason: 'buffer-full' })
      this.#giveUp()
    }
    return bytes
  }

  #giveUp(): void {
    this.close(closeCodes.tooSlow, 'too slow: resume when you can')
  }

  #sendHeartbeat(): void {
    this.#send({ type: 'heartbeat', at: isoTime(this.#parts.clock.now()) })
  }
}
