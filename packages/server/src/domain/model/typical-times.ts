// Learns each model's times from its calls: the usual time to the first word, the 95th percentile, after which another
// model is asked, the model's nature (its 95th percentile without faults), and the pace and length of answers. The nature
// counts only calls that had a word, or a silent model would be taken for a slow one.

/** Assumed before the first call. */
const AT_FIRST_MS = 1000
/** The weight of the newest call. */
const WEIGHT = 0.2
/** How many calls are stored. */
const CALLS_MAX = 60
/** How many calls the 95th percentile needs. */
const CALLS_MIN = 10
/** How many calls show the nature of a model of which nothing is known. */
const FIRST_CALLS = 3
const SLOWEST_SHARE = 0.05
/** A model that becomes slower has a fault until it has been slow for minutes: its nature rises by this factor in a minute. */
const NATURE_RISES = 1.3
const MINUTE_MS = 60_000

/** A call that was left before its first word would have taken longer. */
const LEFT_FACTOR = 1.5

/** Fewer tokens than this arrive at once, so that they have no pace. */
const PACE_TOKENS_MIN = 20

interface Seen {
  readonly usualMs: number
  /** The times of the last calls, the newest last; and of those that had a word. */
  readonly lastMs: readonly number[]
  readonly spokenMs: readonly number[]
  readonly nature?: { readonly ms: number; readonly at: number }
}

export class TypicalTimes {
  readonly #clock: { now(): number }
  readonly #byName = new Map<string, Seen>()
  /** Calls in which the model thought first take longer, and say nothing of the others. */
  readonly #thinking = new Map<string, Seen>()
  readonly #msPerToken = new Map<string, number>()
  readonly #tokens = new Map<string, number>()

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  of(name: string): number {
    return this.#byName.get(name)?.usualMs ?? AT_FIRST_MS
  }

  /** Undefined until there were enough calls. */
  p95(name: string): number | undefined {
    const lastMs = this.#byName.get(name)?.lastMs ?? []
    return lastMs.length < CALLS_MIN ? undefined : slowestOf(lastMs)
  }

  /**
   * Its p95 without faults: follows a model that becomes quicker at once, one that becomes slower over minutes. Undefined
   * until a few calls have shown it.
   */
  natureMs(name: string): number | undefined {
    return wholeMs(this.#byName.get(name)?.nature?.ms)
  }

  /** The same for calls in which it thinks first. */
  thinkingMs(name: string): number | undefined {
    return wholeMs(this.#thinking.get(name)?.nature?.ms)
  }

  /** The pace of its answers after the first word; undefined until one was measured. */
  msPerToken(name: string): number | undefined {
    return this.#msPerToken.get(name)
  }

  /** The usual length of its answers; undefined until one has ended. */
  answerTokens(name: string): number | undefined {
    return this.#tokens.get(name)
  }

  /** Reports an answer: `tokens` arrived within `ms` from the first word on. */
  seeAnswer(name: string, tokens: number, ms: number): void {
    this.#tokens.set(name, Math.round(smoothed(this.#tokens.get(name), tokens)))
    if (tokens >= PACE_TOKENS_MIN) this.#msPerToken.set(name, smoothed(this.#msPerToken.get(name), ms / tokens))
  }

  see(name: string, ms: number, { thought = false } = {}): void {
    const seen = thought ? this.#thinking : this.#byName
    const known = seen.get(name)
    const spokenMs = withNewest(known?.spokenMs, ms)
    const nature = this.#natureAfter(known, spokenMs)
    seen.set(name, { ...after(known, ms), spokenMs, ...(nature === undefined ? {} : { nature }) })
  }

  /** Reports a call that was stopped after `ms` without a word. After a short time that gives no information, and is ignored. */
  seeLeft(name: string, ms: number): void {
    if (ms * LEFT_FACTOR < this.of(name)) return
    const known = this.#byName.get(name)
    this.#byName.set(name, { spokenMs: [], ...known, ...after(known, ms * LEFT_FACTOR) })
  }

  #natureAfter(known: Seen | undefined, lastMs: readonly number[]): Seen['nature'] {
    if (lastMs.length < FIRST_CALLS) return undefined
    const at = this.#clock.now()
    const slowest = slowestOf(lastMs)
    const before = known?.nature
    // The first calls are all that is known of a new model.
    if (before === undefined || lastMs.length < CALLS_MIN || slowest <= before.ms) return { ms: slowest, at }
    const risen = before.ms * NATURE_RISES ** (Math.max(0, at - before.at) / MINUTE_MS)
    return { ms: Math.min(slowest, risen), at }
  }
}

/** The rise within a second is less than one, and must not be lost; but a deadline of a fraction never comes on a clock of whole milliseconds. */
const wholeMs = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms))

function after(known: Seen | undefined, ms: number): Pick<Seen, 'lastMs' | 'usualMs'> {
  return { usualMs: smoothed(known?.usualMs, ms), lastMs: withNewest(known?.lastMs, ms) }
}

function withNewest(lastMs: readonly number[] = [], ms: number): readonly number[] {
  return [...lastMs.slice(1 - CALLS_MAX), ms]
}

function slowestOf(lastMs: readonly number[]): number {
  const slowestFirst = lastMs.toSorted((one, other) => other - one)
  return slowestFirst[Math.floor(lastMs.length * SLOWEST_SHARE)] ?? AT_FIRST_MS
}

function smoothed(known: number | undefined, newest: number): number {
  return known === undefined ? newest : known + WEIGHT * (newest - known)
}
