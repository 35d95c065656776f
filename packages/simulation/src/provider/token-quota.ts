// A provider's token quota: a call reserves its maximum cost at the start and is settled to its real cost at the end.
// It refills steadily up to a few seconds' worth, or is granted by the minute; reserved and free tokens together never
// exceed that. A refused call may cost tokens too: a quota that owes them grants nothing until it has paid.

/** `steady`: continuously, up to a burst. `minute`: the tokens of a minute at once, when the minute begins. */
export type Grant = 'steady' | 'minute'

export interface TokenQuotaLimits {
  readonly tokensPerMinute: number
  readonly grant: Grant
  /** Burst of a steady quota: this much time's worth of tokens can be taken at once after a quiet time. */
  readonly burstMs: number
  /** A refused call costs this share of the tokens that it asked for. */
  readonly refusedShare: number
}

const MINUTE_MS = 60_000

export class TokenQuota {
  readonly #limits: TokenQuotaLimits
  #left: number
  /** When the minute of a grant by the minute began. */
  #refilledAt: number
  /** The share of the quota at that time. */
  #share = 1

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
    // A quota of zero refuses even an empty call.
    if (missing > 0 || share <= 0) return this.#refuse(missing, tokens * this.#limits.refusedShare, now)
    this.#left -= tokens
    return 0
  }

  #refuse(missing: number, penalty: number, now: number): number {
    this.#left -= penalty
    if (this.#share <= 0) return MINUTE_MS
    const owed = missing + penalty
    if (this.#limits.grant === 'steady') return Math.ceil(owed / this.#tokensPerMs(this.#share))
    return this.#refilledAt + Math.ceil(owed / this.#most(this.#share)) * MINUTE_MS - now
  }

  /** Returns the tokens that a call took and did not use; `unused` is negative when it used more. */
  settle(unused: number, now: number, share: number): void {
    this.#refill(now, share)
    this.#left = Math.min(this.#most(share), this.#left + unused)
  }

  #refill(now: number, share: number): void {
    if (this.#limits.grant === 'minute') this.#regrant(now, share)
    else this.#refillSteadily(now, share)
    this.#share = share
  }

  #refillSteadily(now: number, share: number): void {
    const refilled = this.#left + (now - this.#refilledAt) * this.#tokensPerMs(share)
    this.#left = Math.min(this.#most(share), refilled)
    this.#refilledAt = now
  }

  /** A changed share applies to the running minute, as where a counter of the minute is compared with a limit. */
  #regrant(now: number, share: number): void {
    this.#left += this.#most(share) - this.#most(this.#share)
    while (now - this.#refilledAt >= MINUTE_MS) {
      this.#left = Math.min(0, this.#left) + this.#most(share)
      this.#refilledAt += MINUTE_MS
    }
  }

  #most(share: number): number {
    const { burstMs, grant } = this.#limits
    return this.#tokensPerMs(share) * (grant === 'minute' ? MINUTE_MS : burstMs)
  }

  #tokensPerMs(share: number): number {
    return (this.#limits.tokensPerMinute * share) / MINUTE_MS
  }
}
