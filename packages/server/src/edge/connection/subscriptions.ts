// The subscriptions of one connection: to turns, and to new turns of conversations. Created when a client first reads
// something, so that an idle connection does not pay for it. It owns no turn: when it ends, only its readers end.
import type { AcceptedFrame, ServerFrame } from '@mangaassist/protocol'
import type { App, HeldText, Opening } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import type { ReaderEnd } from '#domain/turn-records/turn-record.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import type { About } from './client-frame.ts'
import { Pace } from './pace.ts'
import type { Outflow } from './pace.ts'

export interface FollowingParts {
  readonly app: Pick<App, 'read' | 'watch'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'streaming'>
}

/** The part of the connection that its readers need. */
export interface SubscriptionHost {
  readonly connectionId: string
  readonly principal: Principal
  readonly outflow: Outflow
  /** Returns the bytes of the frame. */
  readonly send: (frame: ServerFrame) => number
  readonly sendRefusal: (error: unknown, about: About, scope?: Scope) => void
  readonly onStalled: () => void
  /** Called when a turn was read to its end. */
  readonly onRead: () => void
}

export const TURNS_FOLLOWED_MAX = 8
const SESSIONS_WATCHED_MAX = 8
const SESSIONS_WRITTEN_MAX = 8
const REPEATS_KEPT_MAX = 64
const BUSY_RETRY_MS = 1000
/** Shared, because an abort without a reason creates an exception with a stack for every reader that leaves. */
const LEFT = new Error('no reader is left')

interface Reader {
  readonly abort: AbortController
  readonly ended: Promise<void>
}

interface Watch {
  readonly abort: AbortController
  /** The client requested the watch; otherwise it follows from writing in the session. */
  readonly asked: boolean
  /** This connection was the last writer, as far as it knows. */
  writes: boolean
}

export class Subscriptions {
  readonly #parts: FollowingParts
  readonly #reading: SubscriptionHost
  readonly #pace: Pace
  readonly #gone = new AbortController()
  /** How the connection ended, for its readers. */
  #goneBy: ReaderEnd = 'left'
  readonly #readers = new Map<string, Reader>()
  readonly #watches = new Map<string, Watch>()
  /** Turns of earlier connections that were repeated here: a watch does not deliver them again. */
  readonly #repeats = new Set<string>()
  #reserved = 0

  constructor(parts: FollowingParts, reading: SubscriptionHost) {
    this.#parts = parts
    this.#reading = reading
    this.#pace = new Pace({
      clock: parts.clock,
      telemetry: parts.telemetry,
      limits: parts.config.streaming,
      outflow: reading.outflow,
      door: 'ws',
      onStalled: reading.onStalled,
      signal: this.#gone.signal,
    })
  }

  /** Whether a silent client still needs the connection: it reads, or requested a watch. */
  get isWanted(): boolean {
    return this.#readers.size > 0 || this.#count((watch) => watch.asked) > 0
  }

  isReading(turnId: string): boolean {
    return this.#readers.has(turnId)
  }

  /** Reserves room for the turn of a pending question, until disposed. Throws when there is none. */
  reserve(): Disposable {
    this.#requireSlot()
    this.#reserved += 1
    return { [Symbol.dispose]: () => void (this.#reserved -= 1) }
  }

  /** Sends a turn to the client; a turn that is already being read is restarted from what the client now claims to have. */
  follow(turnId: string, held: HeldText, scope?: Scope): void {
    if (this.#gone.signal.aborted) return scope?.end('disconnected')
    const former = this.#readers.get(turnId)
    if (former === undefined) this.#requireSlot()
    former?.abort.abort(LEFT)
    const abort = new AbortController()
    const ended = this.#read({ turnId, held, scope }, abort.signal).finally(() => this.#forget(turnId, reader))
    const reader: Reader = { abort, ended }
    this.#readers.set(turnId, reader)
  }

  /** Delivers the running turn of a session and later ones. */
  async watch(sessionId: string): Promise<void> {
    const former = this.#watches.get(sessionId)
    if (former?.asked !== true && this.#count((watch) => watch.asked) >= SESSIONS_WATCHED_MAX)
      throw tooMany('sessionsWatched', SESSIONS_WATCHED_MAX)
    former?.abort.abort(LEFT)
    await this.#begin(sessionId, { abort: new AbortController(), asked: true, writes: former?.writes ?? false })
  }

  /** Records that this connection wrote in a session: it is notified when another one does. */
  wrote(sessionId: string, repeated: string | undefined): void {
    if (repeated !== undefined) this.#remember(repeated)
    const former = this.#watches.get(sessionId)
    if (former !== undefined) {
      former.writes = true
      // Moved to the end: the least recent session is dropped first.
      this.#watches.delete(sessionId)
      this.#watches.set(sessionId, former)
      return
    }
    if (this.#count((watch) => !watch.asked) >= SESSIONS_WRITTEN_MAX) this.#dropOldestWritten()
    const begun = this.#begin(sessionId, { abort: new AbortController(), asked: false, writes: true })
    begun.catch((error: unknown) => this.#logLost(error))
  }

  /** Resolves when the turns being read have reached their end, or the client has left. */
  async quiet(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => reader.ended))
  }

  /** The connection has ended: its readers end, turns continue. */
  end(how: ReaderEnd): void {
    this.#goneBy = how
    this.#gone.abort(LEFT)
    for (const reader of this.#readers.values()) reader.abort.abort(LEFT)
    for (const watch of this.#watches.values()) watch.abort.abort(LEFT)
  }

  async #read(turn: { turnId: string; held: HeldText; scope: Scope | undefined }, signal: AbortSignal): Promise<void> {
    const { app } = this.#parts
    const { principal, send, sendRefusal } = this.#reading
    const { held, scope, turnId } = turn
    const meter = new ReaderMeter('ws', this.#parts.clock)
    try {
      await this.#pace.room(meter)
      const frames = await app.read(principal, { turnId, ...held, resumedBy: scope, meter }, signal)
      scope?.count('reader_resumed_total', { door: 'ws' })
      let last: ServerFrame | undefined
      for await (const frame of frames) {
        if (signal.aborted) return
        meter.sent(send(frame))
        if (frame.type === 'done') meter.ended('complete')
        last = frame
        await this.#pace.room(meter)
      }
      if (last?.type !== 'done' && !signal.aborted) throw new Error('a turn was read to its end without an end record')
    } catch (error) {
      if (!signal.aborted) sendRefusal(error, { turnId }, scope)
    } finally {
      const isGone = this.#gone.signal.aborted
      meter.ended(isGone ? this.#goneBy : signal.aborted ? 'replaced' : 'failed')
      scope?.end(isGone ? 'disconnected' : signal.aborted ? 'left' : 'completed')
    }
  }

  #forget(turnId: string, reader: Reader): void {
    // A replaced reader is no longer the one in the map.
    if (this.#readers.get(turnId) !== reader) return
    this.#readers.delete(turnId)
    this.#reading.onRead()
  }

  async #begin(sessionId: string, watch: Watch): Promise<void> {
    if (this.#gone.signal.aborted) return
    this.#watches.set(sessionId, watch)
    try {
      const openings = await this.#parts.app.watch(this.#reading.principal, sessionId, watch.abort.signal)
      void this.#announceAll(sessionId, openings, watch)
    } catch (error) {
      this.#unwatch(sessionId, watch)
      throw error
    }
  }

  async #announceAll(sessionId: string, openings: AsyncIterable<Opening>, watch: Watch): Promise<void> {
    try {
      for await (const { requestId, turnId, writer } of openings) {
        if (watch.abort.signal.aborted) return
        if (writer === this.#reading.connectionId || this.#repeats.has(turnId)) continue
        // A turn without a writing device, such as a deferred answer, changes no writer.
        if (watch.writes && writer !== undefined) {
          watch.writes = false
          this.#reading.send({ type: 'transferred', sessionId })
        }
        this.#announce({ type: 'accepted', requestId, turnId, sessionId })
      }
    } catch (error) {
      if (watch.abort.signal.aborted) return
      if (watch.asked) this.#reading.sendRefusal(error, { sessionId })
      else this.#logLost(error)
    } finally {
      // Also ends its source: a failed watch must not receive more.
      watch.abort.abort(LEFT)
      this.#unwatch(sessionId, watch)
    }
  }

  #announce(accepted: AcceptedFrame): void {
    this.#reading.send(accepted)
    // A turn that is already being read needs no second reader.
    if (this.#readers.has(accepted.turnId)) return
    try {
      this.follow(accepted.turnId, { offset: 0 })
    } catch (error) {
      this.#reading.sendRefusal(error, { turnId: accepted.turnId })
    }
  }

  /** The client did not request it, so only we need to know: it starts again with the next question. */
  #logLost(error: unknown): void {
    if (error instanceof Refusal || this.#gone.signal.aborted) return
    const { connectionId } = this.#reading
    this.#parts.telemetry.log('warn', 'reader.follow-failed', { connectionId }, error)
  }

  #unwatch(sessionId: string, watch: Watch): void {
    if (this.#watches.get(sessionId) === watch) this.#watches.delete(sessionId)
  }

  #dropOldestWritten(): void {
    for (const [sessionId, watch] of this.#watches) {
      if (watch.asked) continue
      watch.abort.abort(LEFT)
      this.#watches.delete(sessionId)
      return
    }
  }

  #count(which: (watch: Watch) => boolean): number {
    let count = 0
    for (const watch of this.#watches.values()) if (which(watch)) count += 1
    return count
  }

  #remember(turnId: string): void {
    this.#repeats.add(turnId)
    if (this.#repeats.size <= REPEATS_KEPT_MAX) return
    for (const oldest of this.#repeats.values().take(1)) this.#repeats.delete(oldest)
  }

  #requireSlot(): void {
    if (this.#readers.size + this.#reserved >= TURNS_FOLLOWED_MAX) throw tooMany('turnsFollowed', TURNS_FOLLOWED_MAX)
  }
}

export function tooMany(limit: string, max: number): Refusal {
  return new Refusal('RATE_LIMITED', { retryAfterMs: BUSY_RETRY_MS, details: { limit, max } })
}
