// A provider's token quota: a call reserves its maximum cost at the start and is settled to its real cost at the end.
// It refills steadily up to a few seconds' worth; reserved and free tokens together never exceed that.

export interface TokenQuotaLimits {
  readonly tokensPerMinute: number
  /** Burst: this much time's worth of tokens can be taken at once after a quiet time. */
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

  /** Tokens that could be taken now, with this share of the quota. */
  left(now: number, share: number): number {
    this.#refill(now, share)
    return this.#left
  }

  /**
   * Returns 0 when the tokens were taken, else the time until they could be. A request larger than the burst is granted
   * when the quota is full.
   */
  take(tokens: number, now: number, share: number): number {
    this.#refill(now, share)
    const missing = Math.min(tokens, this.#most(share)) - this.#left
    if (missing > 0) return share > 0 ? Math.ceil(missing / this.#tokensPerMs(share)) : MINUTE_MS
    // The quota is zero: even an empty call is refused.
    if (share <= 0) return MINUTE_MS
    this.#left -= tokens
    return 0
  }

  /** Returns the tokens that a call took and did not use; `unused` is negative when it used more. */
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
