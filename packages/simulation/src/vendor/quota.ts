// A vendor's quota over a sliding window: an answer reserves its maximum cost at the start and is settled to its real
// cost at the end. A refusal takes nothing and returns the time until a retry makes sense.

export interface QuotaLimits {
  readonly requests?: number | undefined
  readonly tokens?: number | undefined
  readonly windowMs: number
}

interface Taken {
  readonly at: number
  tokens: number
}

export class Quota {
  readonly #limits: QuotaLimits
  #taken: Taken[] = []

  constructor(limits: QuotaLimits) {
    this.#limits = limits
  }

  /**
   * Returns 0 when `tokens` more are available now. A request larger than the whole quota never fits and gets the
   * length of a window.
   */
  waitMs(now: number, tokens: number): number {
    const { requests = Infinity, tokens: tokensMax = Infinity, windowMs } = this.#limits
    this.#taken = this.#taken.filter(({ at }) => at > now - windowMs)
    let count = this.#taken.length
    let used = this.#taken.reduce((sum, taken) => sum + taken.tokens, 0)
    if (count < requests && used + tokens <= tokensMax) return 0
    for (const taken of this.#taken) {
      count -= 1
      used -= taken.tokens
      if (count < requests && used + tokens <= tokensMax) return taken.at + windowMs - now
    }
    return windowMs
  }

  /** Returns a function that settles with the tokens that were really used. */
  take(now: number, tokens: number): (actualTokens: number) => void {
    const taken = { at: now, tokens }
    this.#taken.push(taken)
    return (actualTokens) => {
      taken.tokens = actualTokens
    }
  }
}
