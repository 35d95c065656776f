// A turn that this node owns. What is appended goes to the shared log and then to the readers here; while Redis is away it
// goes to the readers at once, and to the shared log in order when that is back, except that readers who were shown nothing
// else yet are spared words that another owner may be saying differently. A turn that another node took over meanwhile is
// lost: nothing more is written to it. Appends of one turn go one after another.
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { LogEntry, LogRecord } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { TurnCopy } from './turn-copy.ts'
import type { TurnStore, WholeLog, Written } from './turn-store.ts'

const LOOK_AGAIN_MS = 1000
/** What an answer may take to come back: the lease began before we heard of it. */
const SURE_MARGIN_MS = 1000
/** How long an owner that may have lost its lease waits for the log to say so, before it goes on by itself. */
const STILL_MAX_MS = 6000
const BACKFILL_FIRST_MS = 100
const BACKFILL_MAX_MS = 2000
/** Answers that send us back by another way, before it is taken for an error. */
const ROUNDS_MAX = 4
/** How long after its deadline a turn may still be made anew: a paused owner must not bring back what was forgotten. */
const REMAKE_AFTER_END_MS = 60_000

export interface OwnedTurnParts {
  readonly store: TurnStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** The shared log refused: the turn is another's now. */
  readonly onLost: (turn: OwnedTurn) => void
  /** Its end is in the shared log. */
  readonly onOver: (turn: OwnedTurn) => void
  /** Nobody renewed its lease here: whoever reads it here may miss what another owner says. */
  readonly onLapse: (turn: OwnedTurn) => void
  /** The shared log will have it again, or for the first time: whoever looks for turns without an owner must find it. */
  readonly onMaking: (turn: OwnedTurn) => Promise<void>
  /** The shared log has it again, or for the first time. */
  readonly onMade: (turn: OwnedTurn) => void
  /** The shared log was away and is level with the copy again: the lease may have lapsed there. */
  readonly onBackfilled: (turn: OwnedTurn) => void
}

export interface Ownership {
  readonly turnId: string
  readonly epoch: number
  readonly leaseMs: number
  /** The last record that the shared log is known to hold; −1 for none. */
  readonly sharedSeq: number
  /** Of a turn that it is not known to hold: whether it may have been given it all the same. */
  readonly mayBeShared?: boolean
  readonly isStopWished: boolean
}

export class OwnedTurn {
  readonly turnId: string
  readonly epoch: number
  readonly copy: TurnCopy
  /** When the last reader here left, or the turn came here. */
  seenAt: number
  isStopWished: boolean
  /** The lapse that the index of leases knows of; undefined when it does not know of the turn. */
  indexedUntil: number | undefined
  readonly #parts: OwnedTurnParts
  #sharedSeq: number
  #mayBeShared: boolean
  #isLost = false
  #leaseMs = 0
  #leasedUntil = 0
  #sureUntil = 0
  #lapse: Disposable | undefined
  /** Ends the wait before the next try to backfill; there while one is needed. */
  #backfill: Disposable | undefined
  #backoffMs = BACKFILL_FIRST_MS
  /** Wakes the append that keeps still. */
  #wake = () => {}
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: OwnedTurnParts, ownership: Ownership, copy: TurnCopy) {
    this.turnId = ownership.turnId
    this.epoch = ownership.epoch
    this.copy = copy
    this.isStopWished = ownership.isStopWished
    this.seenAt = parts.clock.now()
    this.#parts = parts
    this.#sharedSeq = ownership.sharedSeq
    this.#mayBeShared = ownership.mayBeShared ?? false
    this.renewed(ownership.leaseMs)
    if (ownership.sharedSeq < copy.lastSeq) this.#detach()
  }

  /** Whether readers here have been given what the shared log does not hold. */
  get isAhead(): boolean {
    return this.#sharedSeq < this.copy.lastSeq
  }

  get leaseMs(): number {
    return this.#leaseMs
  }

  /** Whether another may have taken it over. Not while the shared log is away: then it is read here, whoever runs it. */
  get isLapsed(): boolean {
    return this.#backfill === undefined && this.#parts.clock.now() >= this.#leasedUntil
  }

  /**
   * Whether what the copy holds is the turn: the shared log has never heard of it, or was asked to open it and has not
   * answered, and nobody else can have it yet. Shoppers are not kept waiting for a Redis that stands still.
   */
  get isOursAlone(): boolean {
    return this.#sharedSeq < 0 && this.#isSurelyOurs
  }

  /** Whether nobody else can have the turn yet: the shared log, by what it last said, keeps it leased to us. */
  get #isSurelyOurs(): boolean {
    const isUnknown = this.#sharedSeq < 0 && !this.#mayBeShared
    return !this.#isLost && (isUnknown || this.#parts.clock.now() < this.#sureUntil)
  }

  /** The shared log has renewed the lease. */
  renewed(leaseMs: number): void {
    this.#sureUntil = this.#parts.clock.now() + leaseMs - SURE_MARGIN_MS
    this.leased(leaseMs)
    this.#wake()
  }

  /** The lease goes on, by our own word alone if need be. */
  leased(leaseMs: number): void {
    this.#leaseMs = leaseMs
    this.#leasedUntil = this.#parts.clock.now() + leaseMs
    this.#lapseAfter(leaseMs)
  }

  /** It has lapsed, and nobody else has it yet. */
  lookAgain(): void {
    if (!this.#isLost) this.#lapseAfter(Math.max(this.#leaseMs, LOOK_AGAIN_MS))
  }

  append(entries: readonly LogEntry[]): Promise<boolean> {
    const mine = this.#last.then(() => this.#append(entries))
    this.#last = mine.catch(() => {})
    return mine
  }

  /** The shared log has lost the turn: it is written there anew. False when that is no longer to be done. */
  remake(): boolean {
    if (this.#isLost || !this.#mayRemake()) return false
    this.#sharedSeq = -1
    this.#mayBeShared = false
    this.#detach()
    return true
  }

  lose(): void {
    if (this.#isLost) return
    this.discard()
    this.#parts.onLost(this)
  }

  /** Nothing more is written to it from here, and nobody is told. */
  discard(): void {
    this.#isLost = true
    this.#settle()
    this.#lapse?.[Symbol.dispose]()
  }

  #lapseAfter(ms: number): void {
    this.#lapse?.[Symbol.dispose]()
    this.#lapse = this.#parts.clock.after(ms, () => this.#parts.onLapse(this))
  }

  async #append(entries: readonly LogEntry[]): Promise<boolean> {
    if (this.#isLost || this.copy.isEnded) return false
    const firstSeq = this.copy.lastSeq + 1
    const records = entries.map((entry, index): LogRecord => ({ ...entry, seq: firstSeq + index, epoch: this.epoch }))
    while (!(await this.#isAlone())) {
      if (this.#isLost) return false
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

  /** Whether the turn goes on without the shared log. While it ought to keep still, this waits. */
  async #isAlone(): Promise<boolean> {
    while (this.#backfill !== undefined) {
      const stillMs = this.#stillMs()
      if (stillMs <= 0) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      using _ = this.#parts.clock.after(stillMs, resolve)
      await promise
    }
    return false
  }

  /**
   * Another may have the turn, and say it differently. Readers who have words of ours already lose nothing when we go on;
   * those who are level with the shared log can still read on with whoever has it, if that is known soon.
   */
  #stillMs(): number {
    if (this.#isSurelyOurs || this.#hasSpokenAlone()) return 0
    return this.#sureUntil + STILL_MAX_MS - this.#parts.clock.now()
  }

  #hasSpokenAlone(): boolean {
    return this.copy.after(this.#sharedSeq).some(({ kind }) => kind === 'text' || kind === 'snapshot')
  }

  /** Brings the shared log to what the copy holds and these; false when it is another's. */
  async #share(records: readonly LogRecord[]): Promise<boolean> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { state, count } = await this.#send(records)
      if (state === 'fenced') {
        this.lose()
        return false
      }
      this.#sharedSeq = count - 1
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
    // The shared log can be ahead: by what was sent, not answered, and is now sent again.
    const firstSeq = Math.min(this.#sharedSeq, copy.lastSeq) + 1
    const short = copy.trimmedWith(records)
    if (short === undefined && firstSeq > 0 && copy.base <= firstSeq) {
      const missing = [...copy.after(firstSeq - 1), ...records]
      return this.#parts.store.extend(turnId, { epoch, firstSeq, records: missing })
    }
    const whole = short ?? [...copy.after(-1), ...records]
    const log = { epoch, base: whole[1]?.seq ?? 1, records: whole, isStopWished: this.isStopWished }
    if (firstSeq > 0) return this.#parts.store.rewrite(turnId, { ...log, leaseMs: undefined })
    return this.#make({ ...log, leaseMs: this.leaseMs })
  }

  async #make(log: WholeLog & { readonly leaseMs: number }): Promise<Written> {
    // First: a turn that is in the index alone does no harm, one that is not in it might never be found.
    await this.#parts.onMaking(this)
    const sentAt = this.#parts.clock.now()
    try {
      const written = await this.#parts.store.rewrite(this.turnId, log)
      if (written.state === 'done') this.#parts.onMade(this)
      return written
    } catch (error) {
      const isNew = error instanceof RedisUnavailable && error.mayHaveHappened && !this.#mayBeShared
      if (isNew) {
        this.#mayBeShared = true
        this.#sureUntil = sentAt + log.leaseMs - SURE_MARGIN_MS
      }
      throw error
    }
  }

  #mayRemake(): boolean {
    return this.#parts.clock.now() < this.copy.start.deadlines.endBy + REMAKE_AFTER_END_MS
  }

  #detach(): void {
    if (this.#isLost || this.#backfill !== undefined) return
    this.#parts.telemetry.count('turnlog.detached')
    this.#backoffMs = BACKFILL_FIRST_MS
    this.#tryLater()
  }

  #tryLater(): void {
    const waitMs = this.#backoffMs
    this.#backoffMs = Math.min(BACKFILL_MAX_MS, waitMs * 2)
    this.#backfill = this.#parts.clock.after(waitMs, () => void this.#tryBackfill())
  }

  async #tryBackfill(): Promise<void> {
    if (this.#isLost) return
    try {
      if (!(await this.#share([]))) return
    } catch (error) {
      if (!(error instanceof RedisUnavailable))
        this.#parts.telemetry.log('error', 'turnlog.backfill-failed', { turnId: this.turnId }, error)
      if (this.#mayRemake()) return this.#tryLater()
      this.#parts.telemetry.count('turnlog.abandoned')
      return this.lose()
    }
    // Something may have come since the answer.
    if (this.isAhead) return this.#tryLater()
    this.#settle()
    this.#parts.telemetry.count('turnlog.backfilled')
    if (this.copy.isEnded) this.#finish()
    else this.#parts.onBackfilled(this)
  }

  #finish(): void {
    this.discard()
    this.#parts.onOver(this)
  }

  #settle(): void {
    this.#backfill?.[Symbol.dispose]()
    this.#backfill = undefined
    this.#wake()
  }
}
