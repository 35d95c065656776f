// Short rates by key, in this process: a token bucket and a sliding minute for each. Looking changes nothing;
// taking is a step of its own, so that a caller can check everything else in between. Keys that rest are forgotten.
import { gcra } from './gcra.ts'
import type { Rate } from './gcra.ts'
import { windowWaitMs, withinWindow } from './sliding-window.ts'

const WINDOW_MS = 60_000
/** Past this many keys the one that rested longest is forgotten, which errs in its favour. */
const KEYS_MAX = 200_000
/** How many resting keys a single take looks at: more than it adds, so the book shrinks back. */
const SWEEP_MAX = 4

export interface RateLimits {
  readonly bucket: Rate
  readonly perMinute: number
}

export interface RateCheck {
  /** The first limit that refuses now, and for how long. */
  readonly refusal?: { readonly by: 'bucket' | 'window'; readonly retryAfterMs: number }
  readonly usedInWindow: number
  /** Until the oldest in the window leaves it; 0 when it is empty. */
  readonly windowResetMs: number
}

interface Page {
  readonly arrivalAt: number
  /** Since when the bucket has never been full: what was taken before has flowed back by itself. */
  readonly busyFrom: number
  /** What the latest take cost the bucket. */
  readonly intervalMs: number
  readonly moments: readonly number[]
}

export class RateBook {
  /** In the order of their last take: the front rests longest. */
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
    // The longer wait is told: whoever obeys the shorter would be refused again.
    const refusal =
      bucketMs > windowMs
        ? { by: 'bucket' as const, retryAfterMs: bucketMs }
        : { by: 'window' as const, retryAfterMs: windowMs }
    return { ...seen, refusal }
  }

  /** Counts one more; only after `look` refused nothing. */
  take(key: string, limits: RateLimits, now: number): void {
    const page = this.#pages.get(key)
    const bucket = gcra(limits.bucket, page?.arrivalAt, now)
    if (!bucket.allowed) throw new Error('a rate was taken that refuses')
    const isFull = page === undefined || page.arrivalAt <= now
    this.#put(key, {
      arrivalAt: bucket.arrivalAt,
      busyFrom: isFull ? now : page.busyFrom,
      intervalMs: 1000 / limits.bucket.perSecond,
      moments: [...withinWindow(page?.moments ?? [], now, WINDOW_MS), now],
    })
    this.#sweep(now)
  }

  /** Takes back what was counted at `takenAt`; the bucket gets back what has not flowed back by itself. */
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
    let looked = 0
    for (const [key, page] of this.#pages) {
      const rests = page.arrivalAt <= now && withinWindow(page.moments, now, WINDOW_MS).length === 0
      if (!rests || looked === SWEEP_MAX) return
      this.#pages.delete(key)
      looked += 1
    }
  }
}
