// Short rates by key, in this process: a token bucket and a sliding minute for each. `check` changes nothing and `take` is
// a step of its own, so that a caller can check other limits in between. Keys without recent takes are deleted.
import { gcra } from './gcra.ts'
import type { Rate } from './gcra.ts'
import { windowWaitMs, withinWindow } from './sliding-window.ts'

const WINDOW_MS = 60_000
/** Past this many keys the least recently used one is deleted, which errs in its favour. */
const KEYS_MAX = 200_000
/** How many idle keys one take deletes: more than it adds, so that the book shrinks. */
const SWEEP_MAX = 4

export interface RateLimits {
  readonly bucket: Rate
  readonly perMinute: number
}

export interface RateCheck {
  /** The limit with the longest wait, if any refuses now. */
  readonly refusal?: { readonly by: 'bucket' | 'window'; readonly retryAfterMs: number }
  readonly usedInWindow: number
  /** Until the oldest take leaves the window; 0 when the window is empty. */
  readonly windowResetMs: number
}

interface Page {
  readonly arrivalAt: number
  /** Since when the bucket has never been full: tokens taken before that have refilled. */
  readonly busyFrom: number
  /** What the latest take cost the bucket. */
  readonly intervalMs: number
  readonly moments: readonly number[]
}

export class RateBook {
  /** In the order of the last take: the key at the front has been idle longest. */
  readonly #pages = new Map<string, Page>()

  check(key: string, limits: RateLimits, now: number): RateCheck {
    const page = this.#pages.get(key)
    const inside = withinWindow(page?.moments ?? [], now, WINDOW_MS)
    const oldest = inside[0]
    const seen = { usedInWindow: inside.length, windowResetMs: oldest === undefined ? 0 : oldest + WINDOW_MS - now }
    const bucket = gcra(limits.bucket, page?.arrivalAt, now)
    const bucketMs = bucket.allowed ? 0 : bucket.retryAfterMs
    const windowMs = windowWaitMs(inside, now, { ms: WINDOW_MS, limit: limits.perMinute })
    if (bucketMs === 0 && windowMs === 0) return seen
    // The longer wait: after the shorter one the caller would be refused again.
    const refusal =
      bucketMs > windowMs
        ? { by: 'bucket' as const, retryAfterMs: bucketMs }
        : { by: 'window' as const, retryAfterMs: windowMs }
    return { ...seen, refusal }
  }

  /** Counts one more. Call it only after a `check` without a refusal. */
  take(key: string, limits: RateLimits, now: number): void {
    const page = this.#pages.get(key)
    const bucket = gcra(limits.bucket, page?.arrivalAt, now)
    if (!bucket.allowed) throw new Error('take was called although the rate refuses')
    const isFull = page === undefined || page.arrivalAt <= now
    this.#put(key, {
      arrivalAt: bucket.arrivalAt,
      busyFrom: isFull ? now : page.busyFrom,
      intervalMs: 1000 / limits.bucket.perSecond,
      moments: [...withinWindow(page?.moments ?? [], now, WINDOW_MS), now],
    })
    this.#sweep(now)
  }

  /** Undoes the take of `takenAt`; the bucket gets the token back unless it has refilled already. */
  undo(key: string, takenAt: number): void {
    const page = this.#pages.get(key)
    const index = page?.moments.lastIndexOf(takenAt) ?? -1
    if (page === undefined || index === -1) return
    const arrivalAt = takenAt < page.busyFrom ? page.arrivalAt : page.arrivalAt - page.intervalMs
    this.#pages.set(key, { ...page, arrivalAt, moments: page.moments.toSpliced(index, 1) })
  }

  #put(key: string, page: Page): void {
    this.#pages.delete(key)
    this.#pages.set(key, page)
    if (this.#pages.size > KEYS_MAX) this.#pages.delete(this.#pages.keys().next().value ?? key)
  }

  #sweep(now: number): void {
    let deleted = 0
    for (const [key, page] of this.#pages) {
      const rests = page.arrivalAt <= now && withinWindow(page.moments, now, WINDOW_MS).length === 0
      if (!rests || deleted === SWEEP_MAX) return
      this.#pages.delete(key)
      deleted += 1
    }
  }
}
