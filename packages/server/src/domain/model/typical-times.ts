// How long each model takes to its first word, learnt from its calls: usually, which decides whether another try still fits,
// and at most in 19 of 20, past which it is not waited for where another answer is ready. And how fast it speaks then.

/** Before any call was seen. */
const AT_FIRST_MS = 1000
/** How much the newest call counts. */
const WEIGHT = 0.2
/** Calls that are remembered, and how many of them say something about the slowest. */
const CALLS_MAX = 60
const CALLS_MIN = 10
const SLOWEST_SHARE = 0.05

/** Fewer tokens than this come at once, and say nothing about the pace. */
const PACE_TOKENS_MIN = 20

interface Seen {
  readonly usualMs: number
  /** Of the last calls, the newest last. */
  readonly lastMs: readonly number[]
}

export class TypicalTimes {
  readonly #byName = new Map<string, Seen>()
  readonly #msPerToken = new Map<string, number>()

  of(name: string): number {
    return this.#byName.get(name)?.usualMs ?? AT_FIRST_MS
  }

  /** Undefined until enough calls were seen. */
  p95(name: string): number | undefined {
    const lastMs = this.#byName.get(name)?.lastMs ?? []
    if (lastMs.length < CALLS_MIN) return undefined
    const slowestFirst = lastMs.toSorted((one, other) => other - one)
    return slowestFirst[Math.floor(lastMs.length * SLOWEST_SHARE)]
  }

  /** Of its answers once they have begun; undefined until one was seen. */
  msPerToken(name: string): number | undefined {
    return this.#msPerToken.get(name)
  }

  /** So many tokens came in so long from the first word on. */
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
