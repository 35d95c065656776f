// A token bucket as two numbers, from which whole chunks are taken and to which unused tokens are returned. Pure: the caller
// stores the numbers. The algorithm is that of `gcra.ts`; the second number prevents returning tokens that have refilled.
import type { Rate } from './gcra.ts'

export interface BucketLevel {
  /** The theoretical arrival time: when everything taken so far will have refilled. */
  readonly arrivalAt: number
  /** Since when the bucket has never been full: tokens taken before that have refilled. */
  readonly busyFrom: number
}

export interface Taking {
  readonly granted: number
  /** Until one token is available; 0 when some were granted. */
  readonly retryAfterMs: number
  readonly level: BucketLevel | undefined
}

/** Tolerance: timestamps are large floats, so sums of intervals have rounding errors, and those must not refuse a request. */
const ROUNDING_MS = 0.05

/** Takes up to `tokens` tokens. A refusal changes nothing. */
export function takeUpTo(
  rate: Rate,
  level: BucketLevel | undefined,
  { tokens, now }: { readonly tokens: number; readonly now: number },
): Taking {
  const intervalMs = 1000 / rate.perSecond
  const isFull = level === undefined || level.arrivalAt <= now
  const arrivalAt = isFull ? now : level.arrivalAt
  const freeMs = now + intervalMs * rate.burst - arrivalAt
  const granted = Math.min(tokens, Math.floor((freeMs + ROUNDING_MS) / intervalMs))
  if (granted <= 0) return { granted: 0, retryAfterMs: Math.max(1, Math.ceil(intervalMs - freeMs)), level }
  const busyFrom = isFull ? now : level.busyFrom
  return { granted, retryAfterMs: 0, level: { arrivalAt: arrivalAt + granted * intervalMs, busyFrom } }
}

/** Returns tokens that were taken at `takenAt`, unless they have refilled already. */
export function putBack(
  rate: Rate,
  level: BucketLevel,
  { tokens, takenAt }: { readonly tokens: number; readonly takenAt: number },
): BucketLevel {
  if (takenAt < level.busyFrom) return level
  return { ...level, arrivalAt: level.arrivalAt - (tokens * 1000) / rate.perSecond }
}
