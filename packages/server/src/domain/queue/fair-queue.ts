// Who waits for a lane, and who is next: bounded, by priority, fair between sessions, and never past the moment at which
// waiting has become pointless. A plain structure with the time handed in; the owner gives out permits and keeps the callers.

/** From the first to the last. */
export const PRIORITIES = ['critical', 'high', 'normal', 'low', 'bulk'] as const
export type Priority = (typeof PRIORITIES)[number]

export interface QueueSettings {
  readonly entriesMax: number
  readonly lifeMs: number
  /** What must be left to `firstWordBy` when the wait ends. */
  readonly reserveMs: number
  /** Waiting this long counts as one priority higher. */
  readonly ageingMs: number
  /** Congested when it would take longer than this to serve everyone. */
  readonly congestedMs: number
  /** While congested nobody waits longer than this: something else can still be said in time, and those who come have a chance. */
  readonly congestedWaitMs: number
  /** While congested, each so-many-eth turn goes to whoever has waited longest. */
  readonly longestEvery: number
  /** Between two turns, until it has been seen. */
  readonly intervalMs: number
  /**
   * Of a lane with few slots: it is never congested, and everyone waits in order to the end of their time. What keeps a
   * crowd at a wide lane from waiting in vain would refuse the few whose turn comes within half a minute.
   */
  readonly isSmall?: boolean
}

export const queueDefaults: QueueSettings = {
  entriesMax: 1000,
  lifeMs: 30_000,
  reserveMs: 3000,
  ageingMs: 5000,
  congestedMs: 2000,
  congestedWaitMs: 2500,
  longestEvery: 4,
  intervalMs: 250,
}

export interface QueueEntry<Item> {
  readonly id: string
  readonly sessionId: string
  readonly priority: Priority
  readonly firstWordBy: number
  readonly item: Item
}

export interface Place {
  /** 1 is next. */
  readonly position: number
  readonly etaMs: number
}

export type Offered =
  | ({ readonly kind: 'queued' } & Place)
  | { readonly kind: 'full'; readonly retryAfterMs: number }
  /** There is no time to wait at all. */
  | { readonly kind: 'too-late' }

interface Waiting<Item> extends QueueEntry<Item> {
  readonly since: number
  readonly giveUpAt: number
  readonly sequence: number
  /** How many of its session's went before it: the first of every session go before the second of any. */
  readonly round: number
}

/** How much the newest interval counts in the average: the first ones more, because they replace a guess. */
const INTERVAL_WEIGHT = 0.2
/** Until so many intervals were seen, what is expected of the lane is the better guess when a line begins. */
const INTERVALS_MIN = 5
const RETRY_AFTER_MIN_MS = 1000

export class FairQueue<Item> {
  readonly #settings: QueueSettings
  readonly #waiting = new Map<string, Waiting<Item>>()
  #sequence = 0
  #round = 0
  #turns = 0
  #lastTurnAt: number | undefined
  #intervalMs: number
  #intervalsSeen = 0

  constructor(settings: QueueSettings = queueDefaults) {
    this.#settings = settings
    this.#intervalMs = settings.intervalMs
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Offering an id again tells its place and adds nothing. `expectedMs` is what the lane is expected to take for a turn. */
  offer(entry: QueueEntry<Item>, now: number, expectedMs?: number): Offered {
    const known = this.place(entry.id, now)
    if (known !== undefined) return { kind: 'queued', ...known }
    const giveUpAt = Math.min(now + this.#settings.lifeMs, entry.firstWordBy - this.#settings.reserveMs)
    if (giveUpAt <= now) return { kind: 'too-late' }
    if (this.#waiting.size >= this.#settings.entriesMax) return { kind: 'full', retryAfterMs: this.drainMs() }
    // With nobody waiting, turns come when someone asks: the time since the last one says nothing about the lane.
    if (this.#waiting.size === 0) {
      this.#lastTurnAt = undefined
      if (expectedMs !== undefined && this.#intervalsSeen < INTERVALS_MIN) this.#intervalMs = expectedMs
    }
    this.#sequence += 1
    const round = this.#roundFor(entry.sessionId)
    this.#waiting.set(entry.id, { ...entry, since: now, giveUpAt, sequence: this.#sequence, round })
    const place = this.place(entry.id, now)
    return { kind: 'queued', position: place?.position ?? 1, etaMs: place?.etaMs ?? 0 }
  }

  /** The next in turn, taken out; never one whose time is up. */
  take(now: number): QueueEntry<Item> | undefined {
    const next = this.#next(now)
    if (next === undefined) return undefined
    this.#waiting.delete(next.id)
    this.#turns += 1
    this.#round = Math.max(this.#round, next.round)
    this.#seeTurn(now)
    return next
  }

  /** The client left. */
  cancel(id: string): boolean {
    return this.#waiting.delete(id)
  }

  /** Those whose time is up, taken out, to be told so. */
  expire(now: number): readonly QueueEntry<Item>[] {
    const isCongested = this.isCongested()
    const late = [...this.#waiting.values()].filter((entry) => this.#giveUpAt(entry, isCongested) <= now)
    for (const { id } of late) this.#waiting.delete(id)
    return late
  }

  /** When the next one's time is up; undefined: nobody waits. */
  nextExpiryAt(): number | undefined {
    const isCongested = this.isCongested()
    const moments = [...this.#waiting.values()].map((entry) => this.#giveUpAt(entry, isCongested))
    return moments.length === 0 ? undefined : moments.reduce((soonest, at) => Math.min(soonest, at))
  }

  place(id: string, now: number): Place | undefined {
    const own = this.#waiting.get(id)
    if (own === undefined) return undefined
    const before = this.#order(now)
    const ahead = this.#alive(now).filter((other) => other !== own && before(other, own) < 0).length
    return this.#placeAfter(ahead)
  }

  /** The places of all, told at one cost: asking each for its own compares everyone with everyone. */
  places(now: number): ReadonlyMap<string, Place> {
    const inOrder = this.#alive(now).toSorted(this.#order(now))
    return new Map(inOrder.map(({ id }, ahead) => [id, this.#placeAfter(ahead)]))
  }

  /** Until everyone who waits now has had a turn, or has given up. */
  drainMs(): number {
    const drainMs = Math.round(this.#waiting.size * this.#intervalMs)
    return Math.min(this.#settings.lifeMs, Math.max(RETRY_AFTER_MIN_MS, drainMs))
  }

  /** For somebody who comes now; 0 where nobody waits. */
  etaMs(): number {
    return this.size === 0 ? 0 : this.#placeAfter(this.size).etaMs
  }

  isCongested(): boolean {
    return this.#settings.isSmall !== true && this.#waiting.size * this.#intervalMs > this.#settings.congestedMs
  }

  #placeAfter(ahead: number): Place {
    return { position: ahead + 1, etaMs: Math.round((ahead + 1) * this.#intervalMs) }
  }

  #next(now: number): Waiting<Item> | undefined {
    const alive = this.#alive(now)
    // Newest first would let the oldest starve, and with them every low priority.
    const isForLongest = this.isCongested() && this.#turns % this.#settings.longestEvery === 0
    return isForLongest ? first(alive, bySequence) : first(alive, this.#order(now))
  }

  /**
   * By priority, then by turns of the sessions, then by age. When there are more than can be served in time, the newest go
   * first: they can still be answered, where in line everyone would be served just as they give up. Ageing is then left
   * to the turns of the longest waiting, or all would wait until they have aged.
   */
  #order(now: number): (a: Waiting<Item>, b: Waiting<Item>) => number {
    const isCongested = this.isCongested()
    const rank = ({ priority, since }: Waiting<Item>) =>
      PRIORITIES.indexOf(priority) - (isCongested ? 0 : Math.floor((now - since) / this.#settings.ageingMs))
    return (a, b) => rank(a) - rank(b) || a.round - b.round || (isCongested ? bySequence(b, a) : bySequence(a, b))
  }

  #alive(now: number): readonly Waiting<Item>[] {
    const isCongested = this.isCongested()
    return [...this.#waiting.values()].filter((entry) => this.#giveUpAt(entry, isCongested) > now)
  }

  /** Of those for whom somebody waits. */
  #giveUpAt({ giveUpAt, priority, since }: Waiting<Item>, isCongested: boolean): number {
    return isCongested && priority !== 'low' && priority !== 'bulk'
      ? Math.min(giveUpAt, since + this.#settings.congestedWaitMs)
      : giveUpAt
  }

  #roundFor(sessionId: string): number {
    const own = [...this.#waiting.values()].filter((other) => other.sessionId === sessionId)
    return own.reduce((round, other) => Math.max(round, other.round + 1), this.#round)
  }

  #seeTurn(now: number): void {
    if (this.#lastTurnAt !== undefined) {
      this.#intervalsSeen += 1
      const weight = Math.max(INTERVAL_WEIGHT, 1 / (this.#intervalsSeen + 1))
      this.#intervalMs += weight * (now - this.#lastTurnAt - this.#intervalMs)
    }
    this.#lastTurnAt = now
  }
}

function bySequence(a: { readonly sequence: number }, b: { readonly sequence: number }): number {
  return a.sequence - b.sequence
}

function first<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || order(item, best) < 0 ? item : best),
    undefined,
  )
}
