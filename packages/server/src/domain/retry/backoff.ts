// Backoffs as values: `next` returns a delay and the backoff for the next retry, and changes nothing. The caller passes the
// random number, so that every node uses its own and they do not retry in step.

export interface BackoffRange {
  readonly baseMs: number
  readonly capMs: number
}

export interface Backoff {
  /** `float` is uniform in [0, 1). */
  next(float: number): { readonly delayMs: number; readonly backoff: Backoff }
}

/** No jitter, for tests only. */
function none(range: BackoffRange): Backoff {
  return growing(range, (delayMs) => delayMs)
}

/** Uniform between 0 and the exponential delay. */
function full(range: BackoffRange): Backoff {
  return growing(range, (delayMs, float) => delayMs * float)
}

/** Uniform between half and all of the exponential delay. */
function equal(range: BackoffRange): Backoff {
  return growing(range, (delayMs, float) => (delayMs * (1 + float)) / 2)
}

/** Uniform between the base and three times the last delay: the growth is random too, so that two nodes in step diverge. */
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
