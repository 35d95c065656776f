// A provider's quota of tokens: taken at the start of a call for the most it may cost, settled at the end to what it did
// cost. It refills steadily and holds no more than a few seconds' worth. What is taken and what is left never exceed that.

export interface TokenQuotaLimits {
  readonly tokensPerMinute: number
  /** So much of it can be taken at once, after a rest. */
  readonly burstMs: number
}

const MINUTE_MS = 60_000

export class TokenQuota {
  readonly #limits: TokenQuotaLimits
  #left: number
  #refilledAt: number

  constructor(limits: TokenQuotaLimits, now: number) {
    this.#limits = limits
    this.#refilledAt = now
    this.#left = this.#most(1)
  }

  /** What could be taken at this moment, with this share of the quota. */
  left(now: number, share: number): number {
    this.#refill(now, share)
    return this.#left
  }

  /** 0 when they were taken; else how long until they could be. More than it ever holds is taken when it is full. */
  take(tokens: number, now: number, share: number): number {
    this.#refill(now, share)
    const missing = Math.min(tokens, this.#most(share)) - this.#left
    if (missing > 0) return share > 0 ? Math.ceil(missing / this.#tokensPerMs(share)) : MINUTE_MS
    // Nothing at all is left of the quota: even an empty call is turned away.
    if (share <= 0) return MINUTE_MS
    this.#left -= tokens
    return 0
  }

  /** Gives back what a call took and did not use; less than nothing when it used more. */
  settle(unused: number, now: number, share: number): void {
    this.#refill(now, share)
    this.#left = Math.min(this.#most(share), this.#left + unused)
  }

  #refill(now: number, share: number): void {
    const refilled = this.#left + (now - this.#refilledAt) * this.#tokensPerMs(share)
    this.#left = Math.min(this.#most(share), refilled)
    this.#refilledAt = now
  }

  #most(share: number): number {
    return this.#tokensPerMs(share) * this.#limits.burstMs
  }

  #tokensPerMs(share: number): number {
    return (this.#limits.tokensPerMinute * share) / MINUTE_MS
  }
}
