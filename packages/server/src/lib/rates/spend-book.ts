// Token buckets by key with variable costs, in this process. A refusal can be charged as well, so that a caller that does
// not wait is refused for longer; this debt is bounded. Keys without recent spending are deleted.
import type { Rate } from './gcra.ts'

/** Past this many keys the least recently used one is deleted, which errs in its favour. */
const KEYS_MAX = 100_000
/** How many idle keys one spending deletes: more than it adds, so that the book shrinks. */
const SWEEP_MAX = 4
/** The largest debt by refusals, in whole buckets. */
const DEBT_MAX = 1

export class SpendBook {
  readonly #intervalMs: number
  readonly #bucketMs: number
  /** By key: when everything spent will have refilled. In the order of the last spending. */
  readonly #until = new Map<string, number>()

  constructor({ burst, perSecond }: Rate) {
    this.#intervalMs = 1000 / perSecond
    this.#bucketMs = this.#intervalMs * burst
  }

  /** Returns 0 when the cost was spent; else the wait in milliseconds, and nothing was spent. */
  spend(key: string, cost: number, now: number): number {
    const from = Math.max(this.#until.get(key) ?? now, now)
    // A cost above the size of the bucket is granted from a full one.
    const costMs = Math.min(cost * this.#intervalMs, this.#bucketMs)
    const excessMs = from + costMs - now - this.#bucketMs
    this.#put(key, excessMs <= 0 ? from + costMs : from, now)
    return excessMs <= 0 ? 0 : Math.ceil(excessMs)
  }

  /** Charges the cost of a refusal even when the bucket is empty, up to the limit of the debt. */
  charge(key: string, cost: number, now: number): void {
    this.#put(key, this.#owing(Math.max(this.#until.get(key) ?? now, now), cost, now), now)
  }

  /** Whether refused requests have put the key into debt for more than half a bucket. */
  isDeepInDebt(key: string, now: number): boolean {
    return (this.#until.get(key) ?? now) - now > this.#bucketMs * (1 + DEBT_MAX / 2)
  }

  #owing(from: number, cost: number, now: number): number {
    return Math.max(from, Math.min(from + cost * this.#intervalMs, now + this.#bucketMs * (1 + DEBT_MAX)))
  }

  #put(key: string, until: number, now: number): void {
    this.#until.delete(key)
    this.#until.set(key, until)
    let deleted = 0
    for (const [oldest, rests] of this.#until) {
      if (deleted === SWEEP_MAX || (rests > now && this.#until.size <= KEYS_MAX)) return
      this.#until.delete(oldest)
      deleted += 1
    }
  }
}
