// A vendor's quota over a sliding window: taken at the start for the most an answer may cost, settled at the end to what it
// did cost. A refusal takes nothing and says when it is worth asking again.

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

  /** 0 when `tokens` more can be had now. What is more than the whole quota never can: then a window's length. */
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

  /** Answers how to settle: with the tokens that were really used. */
  take(now: number, tokens: number): (actualTokens: number) => void {
    const taken = { at: now, tokens }
    this.#taken.push(taken)
    return (actualTokens) => {
      taken.tokens = actualTokens
    }
  }
}
