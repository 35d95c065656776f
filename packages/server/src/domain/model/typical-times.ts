// The time to the first word of each model, learnt from its calls: the usual time, which decides whether another attempt still fits,
// and the 95th percentile, after which another answer is used if one is ready. And the pace of its text afterwards.

/** Assumed before the first call. */
const AT_FIRST_MS = 1000
/** The weight of the newest call. */
const WEIGHT = 0.2
/** How many calls are stored. */
const CALLS_MAX = 60
/** How many calls the 95th percentile needs. */
const CALLS_MIN = 10
const SLOWEST_SHARE = 0.05

/** Fewer tokens than this arrive at once, so that they have no pace. */
const PACE_TOKENS_MIN = 20

interface Seen {
  readonly usualMs: number
  /** The times of the last calls, the newest last. */
  readonly lastMs: readonly number[]
}

export class TypicalTimes {
  readonly #byName = new Map<string, Seen>()
  readonly #msPerToken = new Map<string, number>()

  of(name: string): number {
    return this.#byName.get(name)?.usualMs ?? AT_FIRST_MS
  }

  /** Undefined until there were enough calls. */
  p95(name: string): number | undefined {
    const lastMs = this.#byName.get(name)?.lastMs ?? []
    if (lastMs.length < CALLS_MIN) return undefined
    const slowestFirst = lastMs.toSorted((one, other) => other - one)
    return slowestFirst[Math.floor(lastMs.length * SLOWEST_SHARE)]
  }

  /** The pace of its answers after the first word; undefined until one was measured. */
  msPerToken(name: string): number | undefined {
    return this.#msPerToken.get(name)
  }

  /** Reports that `tokens` arrived within `ms` from the first word on. */
  seePace(name: string, tokens: number, ms: number): void {
    if (tokens < PACE_TOKENS_MIN) return
    const known = this.#msPerToken.get(name) ?? ms / tokens
    this.#msPerToken.set(name, known + WEIGHT * (ms / tokens - known))
  }

  see(name: string, ms: number): void {
    const known = this.#byName.get(name)
    const usualMs = known === undefined ? ms : known.usualMs + WEIGHT * (ms - known.usualMs)
    this.#byName.set(name, { usualMs, lastMs: [...(known?.lastMs ?? []).slice(1 - CALLS_MAX), ms] })
  }
}
