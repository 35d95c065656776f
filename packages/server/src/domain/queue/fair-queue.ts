// The queue of turns that wait for a lane: bounded, by priority, fair between sessions, and without waits past the moment at which
// an answer would come too late. A plain data structure: the caller passes the time, hands out permits and holds the callbacks.

/** From the first to the last. */
export const PRIORITIES = ['critical', 'high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export interface QueueSettings {
  readonly entriesMax: number
  readonly lifeMs: number
  /** The time that must be left until `firstWordBy` when the wait ends. */
  readonly reserveMs: number
  /** A wait of this length raises an entry by one priority; `low` work is never raised. */
  readonly ageingMs: number
  /** The queue is congested when serving all entries would take longer than this. */
  readonly congestedMs: number
  /** The longest wait while congested: it leaves time for a fallback, and makes room for new entries. */
  readonly congestedWaitMs: number
  /** While congested, every n-th permit goes to the entry that has waited longest, `low` work excepted. */
  readonly longestEvery: number
  /** The assumed interval between two permits, until it was measured. */
  readonly intervalMs: number
  /**
   * For a lane with few slots: the queue is never congested, and all entries wait in order to the end of their time. The
   * rules that protect a large lane from pointless waits would refuse entries here that can be served within half a minute.
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
  /** It gives way to a premium user when the queue is full. */
  readonly isGuest?: boolean
  readonly item: Item
}

/** The position of an entry in the queue. */
export interface Place {
  /** 1 is next. */
  readonly position: number
  readonly etaMs: number
}

export type Offered =
  | ({ readonly kind: 'queued' } & Place)
  | { readonly kind: 'full'; readonly retryAfterMs: number }
  /** There is no time left to wait. */
  | { readonly kind: 'too-late' }

interface Waiting<Item> extends QueueEntry<Item> {
  readonly since: number
  readonly giveUpAt: number
  readonly sequence: number
  /** Its number within its session: the first entries of all sessions go before the second of any. */
  readonly round: number
}

/** The weight of the newest interval in the average; the first intervals weigh more, because they replace an assumption. */
const INTERVAL_WEIGHT = 0.2
/** Until this many intervals were measured, a queue that starts to fill uses the caller's expectation. */
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

  /** When the entry that waits longest came; undefined when none waits. */
  get oldestSince(): number | undefined {
    for (const { since } of this.#waiting.values()) return since
    return undefined
  }

  get size(): number {
    return this.#waiting.size
  }

  /**
   * Offering an id again returns its position and adds nothing. `expectedMs` is the expected interval between two permits.
   */
  offer(entry: QueueEntry<Item>, now: number, expectedMs?: number): Offered {
    const known = this.place(entry.id, now)
    if (known !== undefined) return { kind: 'queued', ...known }
    const giveUpAt = Math.min(now + this.#settings.lifeMs, entry.firstWordBy - this.#settings.reserveMs)
    if (giveUpAt <= now) return { kind: 'too-late' }
    if (this.#waiting.size >= this.#settings.entriesMax) return { kind: 'full', retryAfterMs: this.drainMs() }
    // While the queue was empty, the interval since the last permit depended on demand, not on the lane.
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

  /** Removes and returns the next entry; never an expired one. */
  take(now: number): QueueEntry<Item> | undefined {
    const next = this.#next(now)
    if (next === undefined) return undefined
    this.#waiting.delete(next.id)
    this.#turns += 1
    this.#round = Math.max(this.#round, next.round)
    this.#seeTurn(now)
    return next
  }

  /** Removes the entry of a client that left. */
  cancel(id: string): boolean {
    return this.#waiting.delete(id)
  }

  /** The entry that gives way first when the queue is full: of the lowest priority, then the newest; undefined when none does. */
  yielding(): QueueEntry<Item> | undefined {
    return [...this.#waiting.values()]
      .filter(({ isGuest, priority }) => yields(priority, isGuest))
      .toSorted((a, b) => PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority) || bySequence(b, a))[0]
  }

  /** Removes and returns the expired entries. */
  expire(now: number): readonly QueueEntry<Item>[] {
    const isCongested = this.isCongested()
    const late = [...this.#waiting.values()].filter((entry) => this.#giveUpAt(entry, isCongested) <= now)
    for (const { id } of late) this.#waiting.delete(id)
    return late
  }

  /** When the next entry expires; undefined: the queue is empty. */
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

  /** The positions of all entries with one sort: a `place` call for each would compare every pair. */
  places(now: number): ReadonlyMap<string, Place> {
    const inOrder = this.#alive(now).toSorted(this.#order(now))
    return new Map(inOrder.map(({ id }, ahead) => [id, this.#placeAfter(ahead)]))
  }

  /** The time until every entry in the queue is served or has expired. */
  drainMs(): number {
    const drainMs = Math.round(this.#waiting.size * this.#intervalMs)
    return Math.min(this.#settings.lifeMs, Math.max(RETRY_AFTER_MIN_MS, drainMs))
  }

  /** The expected wait of a new entry; 0 when the queue is empty. */
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
    // Every few turns the longest waiting entry is taken: with newest first alone, old entries would starve.
    const isForLongest = this.isCongested() && this.#turns % this.#settings.longestEvery === 0
    const longest = isForLongest ? first(alive.filter(isAwaited), bySequence) : undefined
    return longest ?? first(alive, this.#order(now))
  }

  /**
   * By priority, then by the number within the session, then by age. While congested the newest go first: they can still be
   * answered in time, whereas in order of arrival every entry would be served just when it expires. Ageing is then switched
   * off, or every entry would wait until it has aged; the permits for the longest waiting replace it.
   */
  #order(now: number): (a: Waiting<Item>, b: Waiting<Item>) => number {
    const isCongested = this.isCongested()
    const rank = (entry: Waiting<Item>) => {
      const ages = !isCongested && isAwaited(entry)
      const aged = ages ? Math.floor((now - entry.since) / this.#settings.ageingMs) : 0
      return PRIORITIES.indexOf(entry.priority) - aged
    }
    return (a, b) => rank(a) - rank(b) || a.round - b.round || (isCongested ? bySequence(b, a) : bySequence(a, b))
  }

  #alive(now: number): readonly Waiting<Item>[] {
    const isCongested = this.isCongested()
    return [...this.#waiting.values()].filter((entry) => this.#giveUpAt(entry, isCongested) > now)
  }

  /** The shorter wait of a congested queue is for turns with a reader; `low` work can wait. */
  #giveUpAt(entry: Waiting<Item>, isCongested: boolean): number {
    const { giveUpAt, since } = entry
    return isCongested && isAwaited(entry) ? Math.min(giveUpAt, since + this.#settings.congestedWaitMs) : giveUpAt
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

/** Whether a reader waits for it. Work of low priority comes after all such turns, however long it has waited. */
function isAwaited({ priority }: { readonly priority: Priority }): boolean {
  return priority !== 'low'
}

function yields(priority: Priority, isGuest = false): boolean {
  return priority === 'normal' && isGuest
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
