// The turn log that nodes share, on Redis. A turn's owner serves its own readers from memory and continues while Redis is
// unavailable; other nodes read by subscription, checked against the log. All keys of a turn are on one slot, expire, and
// are written only by the holder of the epoch.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Lease, LogBounds, LogEntry, LogRecord, TurnLog } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { FollowedTurn } from './followed-turn.ts'
import { LeaseIndex } from './lease-index.ts'
import { openShared } from './open-shared.ts'
import { OwnedTurn } from './owned-turn.ts'
import type { OwnedTurnParts, Ownership, Shared } from './owned-turn.ts'
import { Presence } from './presence.ts'
import { SessionTurns } from './session-turns.ts'
import { StopRequests } from './stop-requests.ts'
import { TurnCopy } from './turn-copy.ts'
import { TurnStore } from './turn-store.ts'
import type { AttendedTurn } from './turn-store.ts'
import { UnwrittenTurns } from './unwritten-turns.ts'

export interface RedisTurnLogOptions {
  readonly redis: Redis
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Different from that of every other node, and of earlier processes of this node. */
  readonly nodeId: string
  readonly bounds: LogBounds
  /** How long a turn is stored after its last write. */
  readonly keepMs: number
  /** How often a node reports that it reads a turn, and checks for missed records. Default: 3 s. */
  readonly attendMs?: number
}

const ATTEND_MS = 3000
const REINDEX_MS = 200

/** Dispose it before its connection: it then sets no more timers and makes no more calls. */
export function redisTurnLog(options: RedisTurnLogOptions): TurnLog & Disposable {
  return new RedisTurnLog(options)
}

/** A reader's registration at a copy of a turn. */
interface Seat {
  readonly copy: TurnCopy
  leave(): Promise<void>
}

class RedisTurnLog implements TurnLog, Disposable {
  readonly #options: RedisTurnLogOptions
  readonly #store: TurnStore
  readonly #index: LeaseIndex
  readonly #sessions: SessionTurns
  readonly #stops: StopRequests
  readonly #presence: Presence
  readonly #unwritten: UnwrittenTurns
  readonly #owned = new Map<string, OwnedTurn>()
  /** Promises, so that concurrent readers share one. */
  readonly #followed = new Map<string, Promise<FollowedTurn | undefined>>()
  readonly #ownedParts: OwnedTurnParts
  readonly followSession: TurnLog['followSession'] = (sessionId, signal) => this.#sessions.watch(sessionId, signal)
  readonly onReleased: TurnLog['onReleased'] = (listener) => this.#index.onReleased(listener)
  readonly orphans: TurnLog['orphans'] = (limit) => this.#index.orphans(limit)
  /** Turns expire by themselves: this cleans the index, and removes turns earlier when asked to. */
  readonly sweep: TurnLog['sweep'] = (endedBefore, limit) => this.#index.sweep(endedBefore, limit)
  readonly noteUnwritten: TurnLog['noteUnwritten'] = (turnId) => this.#unwritten.note(turnId)
  readonly unwritten: TurnLog['unwritten'] = (olderThanMs, limit) => this.#unwritten.noted(olderThanMs, limit)
  readonly written: TurnLog['written'] = (turnId) => this.#unwritten.remove(turnId)
  #isDisposed = false

  constructor(options: RedisTurnLogOptions) {
    const { redis, clock, telemetry } = options
    this.#options = options
    this.#store = new TurnStore(options)
    const store = this.#store
    this.#index = new LeaseIndex({ ...options, store })
    this.#sessions = new SessionTurns({ ...options, store })
    this.#unwritten = new UnwrittenTurns(options)
    this.#stops = new StopRequests({ redis, store, runsHere: (turnId) => this.#here(turnId) !== undefined })
    this.#presence = new Presence({
      store,
      clock,
      attendMs: options.attendMs ?? ATTEND_MS,
      isHere: (turnId) => this.#here(turnId) !== undefined,
      onReport: (turnId, turn) => void this.#reported(turnId, turn),
    })
    this.#ownedParts = {
      store,
      clock,
      telemetry,
      onLost: (turn) => this.#lost(turn),
      onOver: (turn) => this.#over(turn),
      onLapse: (turn) => void this.#lapsed(turn),
      onMaking: async (turn) => void (turn.indexedUntil = await this.#index.add(turn.turnId, turn.leaseMs)),
      onMade: (turn) => this.#inBackground(this.#sessions.announce(turn.copy.start)),
      onBackfilled: ({ turnId, epoch, leaseMs }) => void orUnavailable(() => this.renew(turnId, epoch, leaseMs)),
    }
  }

  async open(start: TurnStart, leaseMs: number): Promise<boolean> {
    const { turnId } = start
    const { clock, redis } = this.#options
    const opened = await openShared({ clock, redis, index: this.#index, store: this.#store }, start, leaseMs)
    const isHeld = opened?.shared.type === 'held'
    if (opened === undefined || (!isHeld && this.#owned.has(turnId))) return false
    const copy = new TurnCopy([{ seq: 0, epoch: 1, kind: 'start', start }], this.#options.bounds)
    const turn = this.#own({ turnId, epoch: 1, leaseMs, shared: opened.shared, isStopRequested: false }, copy)
    turn.indexedUntil = opened.indexedUntil
    if (isHeld && opened.indexedUntil === undefined) this.#reindex(turnId, leaseMs)
    this.#sessions.opened(start)
    if (isHeld) this.#inBackground(this.#sessions.announce(start))
    return true
  }

  async append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean> {
    return (await this.#ownedAt(turnId, epoch)?.append(entries)) ?? false
  }

  async start(turnId: string): Promise<TurnStart | undefined> {
    return this.#here(turnId)?.copy.start ?? this.#store.start(turnId)
  }

  async read(turnId: string, afterSeq: number): Promise<readonly LogRecord[] | undefined> {
    const here = this.#here(turnId)
    if (here !== undefined) return here.copy.after(afterSeq)
    return (await this.#store.read(turnId, afterSeq))?.records
  }

  async *follow(turnId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    let lastSeq = afterSeq
    let seat = signal.aborted ? undefined : await this.#sit(turnId, signal)
    try {
      while (seat !== undefined) {
        for await (const batch of seat.copy.follow(lastSeq, signal)) {
          lastSeq = batch.at(-1)?.seq ?? lastSeq
          yield batch
        }
        if (signal.aborted || seat.copy.isEnded) return
        // Another node owns the turn, or may: the reader continues there, and the turn counts as read meanwhile.
        const last: Seat = seat
        seat = await this.#sit(turnId, signal)
        await last.leave()
      }
    } finally {
      await seat?.leave()
    }
  }

  async confirm(turnId: string, epoch: number): Promise<boolean> {
    const owned = this.#ownedAt(turnId, epoch)
    if (owned === undefined || owned.copy.isEnded) return false
    if (owned.isAhead && !owned.isUnshared)
      throw new RedisUnavailable(`the shared log does not hold all of ${turnId} yet`)
    return true
  }

  async renew(turnId: string, epoch: number, leaseMs: number): Promise<Lease | undefined> {
    const owned = this.#ownedAt(turnId, epoch)
    if (owned?.copy.isEnded === true) return undefined
    const isAttended = this.#presence.isRead(turnId)
    const renewed = await orUnavailable(() => this.#store.renew(turnId, epoch, { leaseMs, isAttended }))
    if (renewed instanceof StoreUnavailable) {
      if (owned === undefined) throw renewed
      return this.#localLease(owned, leaseMs)
    }
    if (renewed.state === 'missing') return owned?.remake() === true ? this.#localLease(owned, leaseMs) : undefined
    if (renewed.state === 'fenced') {
      owned?.lose()
      return undefined
    }
    owned?.renewed(leaseMs)
    if (renewed.isStopRequested) this.#stopRequested(turnId)
    if (owned?.indexedUntil === undefined || renewed.until < owned.indexedUntil) this.#reindex(turnId, leaseMs)
    else this.#index.postpone(turnId, (owned.indexedUntil = renewed.until))
    return { unattendedMs: this.#presence.isRead(turnId) ? 0 : renewed.unattendedMs }
  }

  async release(turnId: string, epoch: number): Promise<void> {
    const owned = this.#ownedAt(turnId, epoch)
    if (owned === undefined || !(await owned.release())) return
    owned.discard()
    this.#giveUp(owned)
    await this.#index.released(turnId)
  }

  async takeOver(turnId: string, leaseMs: number): Promise<number | undefined> {
    const taken = await this.#store.takeOver(turnId, leaseMs)
    if (taken === undefined) return undefined
    const { epoch, isStopRequested } = taken
    const copy = (await this.#copyHere(turnId, epoch)) ?? new TurnCopy(taken.records, this.#options.bounds)
    copy.add(taken.records)
    const shared: Shared = { type: 'held', seq: taken.records.at(-1)?.seq ?? 0 }
    this.#own({ turnId, epoch, leaseMs, shared, isStopRequested }, copy)
    this.#reindex(turnId, leaseMs)
    return epoch
  }

  async requestStop(turnId: string): Promise<void> {
    const here = this.#here(turnId)
    if (here?.copy.isEnded === true) return
    const isRequested = await orUnavailable(() => this.#store.requestStop(turnId))
    if (isRequested instanceof StoreUnavailable && here === undefined) throw isRequested
    // When the turn runs on this node, the stop takes effect even if Redis does not know the turn.
    if (isRequested === true || here !== undefined) this.#stopRequested(turnId)
  }

  onStop(turnId: string, listener: () => void): Disposable {
    const here = this.#here(turnId)
    if (here?.copy.isEnded === true) return NO_LISTENER
    return this.#stops.listen(turnId, listener, here?.isStopRequested)
  }

  async forgetSession(sessionId: string): Promise<readonly string[]> {
    const forgotten = await this.#sessions.forget(sessionId)
    const unshared = [...this.#owned.values()].filter(({ copy }) => copy.isEnded && copy.start.sessionId === sessionId)
    for (const turn of unshared) {
      turn.discard()
      this.#owned.delete(turn.turnId)
    }
    return [...forgotten, ...unshared.map(({ turnId }) => turnId)]
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const turn of this.#owned.values()) turn.discard()
    for (const followed of this.#followed.values()) void orUnavailable(async () => (await followed)?.stop())
    this.#presence[Symbol.dispose]()
    this.#index[Symbol.dispose]()
  }

  #ownedAt(turnId: string, epoch: number): OwnedTurn | undefined {
    const owned = this.#owned.get(turnId)
    return owned?.epoch === epoch ? owned : undefined
  }

  /** The turn, if this node's copy is all that exists of it. */
  #here(turnId: string): OwnedTurn | undefined {
    const owned = this.#owned.get(turnId)
    return owned?.isLapsed === true ? undefined : owned
  }

  #own(ownership: Ownership, copy: TurnCopy): OwnedTurn {
    this.#owned.get(ownership.turnId)?.discard()
    const turn = new OwnedTurn(this.#ownedParts, ownership, copy)
    this.#owned.set(turn.turnId, turn)
    return turn
  }

  /** This node's copy of a turn that it takes over at this epoch; its readers continue there. */
  async #copyHere(turnId: string, epoch: number): Promise<TurnCopy | undefined> {
    const here = this.#here(turnId)
    if (here?.epoch === epoch - 1) return here.copy
    // Other nodes owned it in between, or its readers left after the lapse: this node's copy may be outdated.
    this.#owned.get(turnId)?.lose()
    const followed = await orUnavailable(async () => this.#followed.get(turnId))
    this.#followed.delete(turnId)
    if (followed === undefined || followed instanceof StoreUnavailable) return undefined
    followed.stop()
    return followed.copy
  }

  async #sit(turnId: string, signal: AbortSignal): Promise<Seat | undefined> {
    for (;;) {
      const here = this.#here(turnId)
      if (here !== undefined) return this.#seatAt(turnId, here.copy, signal)
      const followed = await this.#followedTurn(turnId)
      if (followed === undefined) return undefined
      // The last reader may have left, or the turn may run here now, since the copy was found.
      if (!followed.isStopped || followed.copy.isEnded) return this.#seatAt(turnId, followed.copy, signal)
    }
  }

  /** A reader has left when its signal aborts, even when it is not waiting. */
  async #seatAt(turnId: string, copy: TurnCopy, signal: AbortSignal): Promise<Seat> {
    const exit = copy.enter()
    const isAttending = !copy.isEnded
    let left: Promise<void> | undefined
    const leave = () => {
      signal.removeEventListener('abort', onAbort)
      left ??= this.#left(turnId, copy, { isLast: exit(), isAttending })
      return left
    }
    const onAbort = () => void leave()
    signal.addEventListener('abort', onAbort, { once: true })
    if (isAttending) await this.#presence.enter(turnId)
    if (signal.aborted) await leave()
    return { copy, leave }
  }

  #followedTurn(turnId: string): Promise<FollowedTurn | undefined> {
    const known = this.#followed.get(turnId)
    if (known !== undefined) return known
    const followed = FollowedTurn.of({ ...this.#options, store: this.#store }, turnId)
    this.#followed.set(turnId, followed)
    const forget = () => {
      if (this.#followed.get(turnId) === followed) this.#followed.delete(turnId)
    }
    // After a failure, or when the turn is missing or ended, the next reader looks it up again.
    followed.then((turn) => (turn === undefined || turn.copy.isEnded ? forget() : undefined), forget)
    return followed
  }

  async #left(
    turnId: string,
    copy: TurnCopy,
    { isLast, isAttending }: { readonly isLast: boolean; readonly isAttending: boolean },
  ): Promise<void> {
    if (isLast) this.#inBackground(this.#stopFollowing(turnId, copy))
    if (!isAttending || !this.#presence.exit(turnId)) return
    const owned = this.#owned.get(turnId)
    if (owned !== undefined) owned.seenAt = this.#options.clock.now()
    if (!copy.isEnded) await orUnavailable(() => this.#store.leave(turnId))
  }

  /** Drops a copy that has no reader. */
  async #stopFollowing(turnId: string, copy: TurnCopy): Promise<void> {
    const followed = await orUnavailable(async () => this.#followed.get(turnId))
    if (!(followed instanceof FollowedTurn) || followed.copy !== copy || copy.readers > 0) return
    this.#followed.delete(turnId)
    followed.stop()
  }

  async #reported(turnId: string, turn: AttendedTurn | undefined): Promise<void> {
    // If the index has missed it, only its readers know that it needs an owner.
    if (turn?.isLapsed === true) this.#inBackground(this.#index.add(turnId, 0))
    const followed = await orUnavailable(async () => this.#followed.get(turnId))
    if (followed instanceof FollowedTurn) followed.reported(turn?.count)
  }

  #localLease(owned: OwnedTurn, leaseMs: number): Lease {
    owned.leased(leaseMs)
    return { unattendedMs: this.#presence.isRead(owned.turnId) ? 0 : this.#options.clock.now() - owned.seenAt }
  }

  #stopRequested(turnId: string): void {
    const owned = this.#owned.get(turnId)
    if (owned !== undefined) owned.isStopRequested = true
    this.#stops.notify(turnId)
  }

  #reindex(turnId: string, leaseMs: number): void {
    const owned = this.#owned.get(turnId)
    const before = owned?.indexedUntil
    const indexed = this.#index.add(turnId, leaseMs).then((until) => {
      // Not if the value has changed since then; a value that is too early only causes one more write.
      if (owned !== undefined && owned.indexedUntil === before) owned.indexedUntil = until
    })
    this.#inBackground(indexed)
    indexed.catch(() => {
      // If its owner died now, no node would find the turn: do not leave this to the next renewal.
      this.#options.clock.after(REINDEX_MS, () => {
        const isWanted = owned !== undefined && this.#owned.get(turnId) === owned && owned.indexedUntil === before
        if (isWanted && !this.#isDisposed) this.#reindex(turnId, leaseMs)
      })
    })
  }

  #over(turn: OwnedTurn): void {
    if (this.#owned.get(turn.turnId) === turn) this.#owned.delete(turn.turnId)
    this.#stops.drop(turn.turnId)
    this.#inBackground(this.#index.end(turn.turnId))
  }

  #lost(turn: OwnedTurn): void {
    this.#options.telemetry.count('turn_log_lost_total')
    this.#giveUp(turn)
  }

  /** Its readers here continue at the shared log. */
  #giveUp(turn: OwnedTurn): void {
    if (this.#owned.get(turn.turnId) === turn) this.#owned.delete(turn.turnId)
    // Readers that were given text that the new owner does not have must start again from the shared log.
    const error = new RedisUnavailable(`${turn.turnId} was continued on another node`)
    turn.copy.dismiss(turn.isAhead ? error : undefined)
    void this.#presence.report(turn.turnId)
  }

  /** Its readers move to a subscription; a turn that no node runs is dropped here. */
  async #lapsed(turn: OwnedTurn): Promise<void> {
    if (!turn.isLapsed) return turn.checkAgainLater()
    turn.copy.dismiss()
    // Until now the renewals reported its readers here.
    void this.#presence.report(turn.turnId)
    const lease = await orUnavailable(() => this.#store.leaseOf(turn.turnId))
    if (this.#owned.get(turn.turnId) !== turn || !turn.isLapsed) return
    if (lease instanceof StoreUnavailable || lease?.epoch === turn.epoch) turn.checkAgainLater()
    else turn.lose()
  }

  /** A failure here does no harm: the next renewal writes the lease again, and the rest expires. */
  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#options.telemetry.log('warn', 'turn-log.index-failed', {}, error)
    })
  }
}

const NO_LISTENER: Disposable = { [Symbol.dispose]: () => {} }
