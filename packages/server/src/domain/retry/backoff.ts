// Delays between tries, as values: `next` gives a delay and the backoff to go on with, and changes nothing. Chance is handed
// in, so that the nodes of a fleet, each with its own, do not come back in step.

export interface BackoffRange {
  readonly baseMs: number
  readonly capMs: number
}

export interface Backoff {
  /** `float` is uniform in [0, 1). */
  next(float: number): { readonly delayMs: number; readonly backoff: Backoff }
}

/** Without jitter: for tests alone. */
function none(range: BackoffRange): Backoff {
  return growing(range, (delayMs) => delayMs)
}

/** Anywhere up to the grown delay. */
function full(range: BackoffRange): Backoff {
  return growing(range, (delayMs, float) => delayMs * float)
}

/** At least half of the grown delay. */
function equal(range: BackoffRange): Backoff {
  return growing(range, (delayMs, float) => (delayMs * (1 + float)) / 2)
}

/** From the base up to three times the last delay: it grows by its own luck, so that two who met once part. */
function decorrelated({ baseMs, capMs }: BackoffRange, lastMs = baseMs): Backoff {
  return {
    next(float) {
      const delayMs = Math.min(capMs, baseMs + float * Math.max(0, lastMs * 3 - baseMs))
      return { delayMs: Math.round(delayMs), backoff: decorrelated({ baseMs, capMs }, delayMs) }
    },
  }
}

function growing(range: BackoffRange, jitter: (delayMs: number, float: number) => number, tries = 0): Backoff {
  return {
    next: (float) => ({
      delayMs: Math.round(jitter(Math.min(range.capMs, range.baseMs * 2 ** tries), float)),
      backoff: growing(range, jitter, tries + 1),
    }),
  }
}

export const BACKOFFS = { none, full, equal, decorrelated: (range: BackoffRange) => decorrelated(range) }
export type JitterStrategy = keyof typeof BACKOFFS
