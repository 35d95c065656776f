// A turn that this node owns. Records go to the shared log first and then to the readers on this node. While Redis is
// unavailable, they go to the readers at once, and to the shared log, in order, when Redis is available again. One
// exception: when the lease may have lapsed and the readers have seen only text of the shared log, new text is withheld for
// a few seconds, because another owner may be writing a different text. A turn that another node took over is lost: nothing
// more is written to it. The appends of one turn run one after another.
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { LogEntry, LogRecord } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { TurnCopy } from './turn-copy.ts'
import type { TurnStore, WholeLog, Written } from './turn-store.ts'

const RECHECK_MS = 1000
/** A margin for the delay of a reply of Redis: the lease began before the reply arrived here. */
const CERTAIN_MARGIN_MS = 1000
/** How long an owner that may have lost its lease waits for the shared log to say so, before it continues by itself. */
const QUIET_MAX_MS = 6000
const BACKFILL_FIRST_MS = 100
const BACKFILL_MAX_MS = 2000
/**
 * How many replies in a row may ask for a different write (earlier records, or the whole turn) before that counts as an
 * error.
 */
const ROUNDS_MAX = 4
/** How long after its deadline a turn may still be written again: a paused owner must not bring back a forgotten turn. */
const REMAKE_AFTER_END_MS = 60_000

export interface OwnedTurnParts {
  readonly store: TurnStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** The shared log refused a write: another node owns the turn. */
  readonly onLost: (turn: OwnedTurn) => void
  /** Its end is in the shared log. */
  readonly onOver: (turn: OwnedTurn) => void
  /** Its lease was not renewed here: readers here may miss the records of another owner. */
  readonly onLapse: (turn: OwnedTurn) => void
  /** The shared log is about to get the turn, again or for the first time: a search for turns without an owner must find it. */
  readonly onMaking: (turn: OwnedTurn) => Promise<void>
  /** The shared log has got the turn, again or for the first time. */
  readonly onMade: (turn: OwnedTurn) => void
  /** The shared log was unavailable and holds all of the copy again: the lease may have lapsed there. */
  readonly onBackfilled: (turn: OwnedTurn) => void
}

/** What the shared log holds of the turn. */
export type Shared =
  /** Nothing: it was not sent, or the shared log has lost it. No other node can own the turn. */
  | { readonly type: 'absent' }
  /** The shared log was asked to open the turn and has not replied: another node may own it once its lease has lapsed. */
  | { readonly type: 'unanswered' }
  /** Everything up to and including the record `seq`. */
  | { readonly type: 'held'; readonly seq: number }

type Life =
  /** Every append goes to the shared log before it is shown. */
  | { readonly type: 'sharing' }
  /** The shared log was unavailable; `retry` is the wait before the next backfill, or the one that is in flight. */
  | { readonly type: 'catching-up'; readonly retry: Disposable; readonly nextWaitMs: number }
  /** The turn has ended, or another node owns it: this node writes nothing more to it. */
  | { readonly type: 'lost' }

interface OwnLease {
  readonly ms: number
  /** The end of the lease, extended by this node alone if necessary. */
  readonly until: number
  /** Until this time no other node can own the turn, according to the last reply of the shared log. */
  readonly certainUntil: number
}

export interface Ownership {
  readonly turnId: string
  readonly epoch: number
  readonly leaseMs: number
  readonly shared: Shared
  readonly isStopRequested: boolean
}

export class OwnedTurn {
  readonly turnId: string
  readonly epoch: number
  readonly copy: TurnCopy
  /** When the last reader here left, or this node became the owner. */
  seenAt: number
  isStopRequested: boolean
  /** The end of the lease as the index of leases knows it; undefined when it does not know the turn. */
  indexedUntil: number | undefined
  readonly #parts: OwnedTurnParts
  #life: Life = { type: 'sharing' }
  #shared: Shared
  #lease: OwnLease = { ms: 0, until: 0, certainUntil: 0 }
  #lapse: Disposable | undefined
  /** Ends the wait of an append that withholds its text. */
  #wake = () => {}
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: OwnedTurnParts, ownership: Ownership, copy: TurnCopy) {
    this.turnId = ownership.turnId
    this.epoch = ownership.epoch
    this.copy = copy
    this.isStopRequested = ownership.isStopRequested
    this.seenAt = parts.clock.now()
    this.#parts = parts
    this.#shared = ownership.shared
    this.renewed(ownership.leaseMs)
    if (this.isAhead) this.#detach()
  }

  /** Whether readers on this node have records that the shared log does not hold. */
  get isAhead(): boolean {
    return this.#sharedSeq < this.copy.lastSeq
  }

  get leaseMs(): number {
    return this.#lease.ms
  }

  /** Whether another node may have taken it over. False while it is catching up: until then its readers stay on this node. */
  get isLapsed(): boolean {
    return this.#life.type !== 'catching-up' && this.#parts.clock.now() >= this.#lease.until
  }

  /**
   * Whether the copy is all there is of the turn: the shared log does not hold it and was not asked to. A lease that is
   * certain is not enough when it was asked to: the lease may lapse before the reply, and another node ends the turn
   * differently.
   */
  get isUnshared(): boolean {
    return this.#shared.type === 'absent' && this.#life.type !== 'lost'
  }

  get #leaseIsCertain(): boolean {
    if (this.#life.type === 'lost') return false
    return this.#shared.type === 'absent' || this.#parts.clock.now() < this.#lease.certainUntil
  }

  /** The last record that the shared log is known to hold; −1 for none. */
  get #sharedSeq(): number {
    return this.#shared.type === 'held' ? this.#shared.seq : -1
  }

  /** The shared log has renewed the lease. */
  renewed(leaseMs: number): void {
    this.#certainUntil(this.#parts.clock.now() + leaseMs)
    this.leased(leaseMs)
    this.#wake()
  }

  /** Extends the lease, by this node alone if necessary. */
  leased(leaseMs: number): void {
    this.#lease = { ...this.#lease, ms: leaseMs, until: this.#parts.clock.now() + leaseMs }
    this.#lapseAfter(leaseMs)
  }

  /** The lease has lapsed, and no other node owns the turn yet: it is checked again later. */
  checkAgainLater(): void {
    if (this.#life.type !== 'lost') this.#lapseAfter(Math.max(this.leaseMs, RECHECK_MS))
  }

  append(entries: readonly LogEntry[]): Promise<boolean> {
    const mine = this.#last.then(() => this.#append(entries))
    this.#last = mine.catch(() => {})
    return mine
  }

  /** The shared log has lost the turn: it is written there again. False when it is too late for that. */
  remake(): boolean {
    if (this.#life.type === 'lost' || !this.#mayRemake()) return false
    this.#shared = { type: 'absent' }
    this.#detach()
    return true
  }

  /** Ends the lease in the shared log; false when it stays, because only this node has all of the turn, or it has ended. */
  async release(): Promise<boolean> {
    await this.#last
    if (this.#isLost() || this.isAhead || this.copy.isEnded) return false
    return this.#parts.store.release(this.turnId, this.epoch)
  }

  lose(): void {
    if (this.#life.type === 'lost') return
    this.discard()
    this.#parts.onLost(this)
  }

  /** This node writes no more to it, and notifies no reader. */
  discard(): void {
    this.#become({ type: 'lost' })
    this.#lapse?.[Symbol.dispose]()
  }

  /** Sets the state; ends the wait for a backfill, and the wait of an append that withholds its text. */
  #become(next: Life): void {
    if (this.#life.type === 'catching-up') this.#life.retry[Symbol.dispose]()
    this.#life = next
    this.#wake()
  }

  #certainUntil(leasedUntil: number): void {
    this.#lease = { ...this.#lease, certainUntil: leasedUntil - CERTAIN_MARGIN_MS }
  }

  #lapseAfter(ms: number): void {
    this.#lapse?.[Symbol.dispose]()
    this.#lapse = this.#parts.clock.after(ms, () => this.#parts.onLapse(this))
  }

  async #append(entries: readonly LogEntry[]): Promise<boolean> {
    if (this.#isLost() || this.copy.isEnded) return false
    const firstSeq = this.copy.lastSeq + 1
    const records = entries.map((entry, index): LogRecord => ({ ...entry, seq: firstSeq + index, epoch: this.epoch }))
    while (!(await this.#continuesAlone())) {
      if (this.#isLost()) return false
      try {
        return await this.#appendShared(records)
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error
        this.#detach()
      }
    }
    return this.copy.add(records)
  }

  async #appendShared(records: readonly LogRecord[]): Promise<boolean> {
    if (!(await this.#share(records))) return false
    this.copy.add(records)
    if (this.copy.isEnded) this.#finish()
    return true
  }

  /** A method, because the state may change while an append waits. */
  #isLost(): boolean {
    return this.#life.type === 'lost'
  }

  /** Returns whether the turn continues without the shared log. While text must be withheld, this waits. */
  async #continuesAlone(): Promise<boolean> {
    while (this.#life.type === 'catching-up') {
      const quietMs = this.#quietForMs()
      if (quietMs <= 0) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      using _ = this.#parts.clock.after(quietMs, resolve)
      await promise
    }
    return false
  }

  /**
   * How long new text is withheld, because another node may own the turn and write a different text. Readers who have seen
   * text that only this node has lose nothing when we continue. Readers who have seen only text of the shared log can still
   * continue with the other owner, if that owner becomes known soon.
   */
  #quietForMs(): number {
    if (this.#leaseIsCertain || this.#hasShownUnsharedText()) return 0
    return this.#lease.certainUntil + QUIET_MAX_MS - this.#parts.clock.now()
  }

  #hasShownUnsharedText(): boolean {
    return this.copy.after(this.#sharedSeq).some(({ kind }) => kind === 'text' || kind === 'snapshot')
  }

  /** Writes to the shared log what it lacks of the copy, and these records; false when another node owns the turn. */
  async #share(records: readonly LogRecord[]): Promise<boolean> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { state, count } = await this.#send(records)
      if (state === 'fenced') {
        this.lose()
        return false
      }
      this.#shared = count === 0 ? { type: 'absent' } : { type: 'held', seq: count - 1 }
      if (state === 'done' && count > (records.at(-1)?.seq ?? this.copy.lastSeq)) return true
      if (state === 'missing' && !this.#mayRemake()) {
        this.lose()
        return false
      }
    }
    throw new Error(`the shared log of ${this.turnId} does not take what follows`)
  }

  async #send(records: readonly LogRecord[]): Promise<Written> {
    const { epoch, copy, turnId } = this
    // The index comes first: a turn that is only there does no harm, but a turn that is missing there might never be found. What
    // the copy gets meanwhile is part of what is sent: settlement may begin until then, and no other node may get less.
    if (this.#sharedSeq < 0) await this.#parts.onMaking(this)
    // The shared log can be ahead: by records whose reply was lost and that are now sent again.
    const firstSeq = Math.min(this.#sharedSeq, copy.lastSeq) + 1
    const short = copy.trimmedWith(records)
    if (short === undefined && firstSeq > 0 && copy.base <= firstSeq) {
      const missing = [...copy.after(firstSeq - 1), ...records]
      return this.#parts.store.extend(turnId, { epoch, firstSeq, records: missing })
    }
    const whole = short ?? [...copy.after(-1), ...records]
    const log = { epoch, base: whole[1]?.seq ?? 1, records: whole, isStopRequested: this.isStopRequested }
    if (firstSeq > 0) return this.#parts.store.rewrite(turnId, { ...log, leaseMs: undefined })
    return this.#make({ ...log, leaseMs: this.leaseMs })
  }

  async #make(log: WholeLog & { readonly leaseMs: number }): Promise<Written> {
    const wasAbsent = this.#shared.type === 'absent'
    if (wasAbsent) this.#certainUntil(this.#parts.clock.now() + log.leaseMs)
    this.#shared = { type: 'unanswered' }
    try {
      const written = await this.#parts.store.rewrite(this.turnId, log)
      if (written.state === 'done') this.#parts.onMade(this)
      return written
    } catch (error) {
      const mayHaveHappened = error instanceof RedisUnavailable && error.mayHaveHappened
      if (wasAbsent && !mayHaveHappened) this.#shared = { type: 'absent' }
      throw error
    }
  }

  #mayRemake(): boolean {
    return this.#parts.clock.now() < this.copy.start.deadlines.endBy + REMAKE_AFTER_END_MS
  }

  #detach(): void {
    if (this.#life.type !== 'sharing') return
    this.#parts.telemetry.count('turn_log_standalone_total')
    this.#backfillAfter(BACKFILL_FIRST_MS)
  }

  #backfillAfter(waitMs: number): void {
    const retry = this.#parts.clock.after(waitMs, () => void this.#tryBackfill())
    this.#life = { type: 'catching-up', retry, nextWaitMs: Math.min(BACKFILL_MAX_MS, waitMs * 2) }
  }

  /** Schedules another backfill, unless the turn was lost while the last one was in flight. */
  #backfillLater(): void {
    if (this.#life.type === 'catching-up') this.#backfillAfter(this.#life.nextWaitMs)
  }

  async #tryBackfill(): Promise<void> {
    if (this.#isLost()) return
    try {
      if (!(await this.#share([]))) return
    } catch (error) {
      if (!(error instanceof RedisUnavailable))
        this.#parts.telemetry.log('error', 'turn-log.backfill-failed', { turnId: this.turnId }, error)
      if (this.#mayRemake()) return this.#backfillLater()
      this.#parts.telemetry.count('turn_log_backfill_abandoned_total')
      return this.lose()
    }
    // Records may have been added since the reply.
    if (this.isAhead) return this.#backfillLater()
    if (!this.#isLost()) this.#become({ type: 'sharing' })
    this.#parts.telemetry.count('turn_log_backfilled_total')
    if (this.copy.isEnded) this.#finish()
    else this.#parts.onBackfilled(this)
  }

  #finish(): void {
    this.discard()
    this.#parts.onOver(this)
  }
}
