// A token bucket that whole chunks are taken from and given back to, as two numbers. Pure: the caller keeps them. It is
// the algorithm of `gcra.ts`; the second number tells what has flowed back by itself and is not given back again.
import type { Rate } from './gcra.ts'

export interface BucketLevel {
  /** The theoretical arrival time: how far what was taken reaches into the future. */
  readonly arrivalAt: number
  /** Since when it has never been full: what was taken before that has flowed back by itself. */
  readonly busyFrom: number
}

export interface Taking {
  readonly granted: number
  /** Until one can be had; 0 when some were granted. */
  readonly retryAfterMs: number
  readonly level: BucketLevel | undefined
}

/** Moments are floats far from zero: adding intervals to one is off by less than this, which must refuse nobody. */
const ROUNDING_MS = 0.05

/** Takes up to so many tokens. A refusal changes nothing. */
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

/** Gives back what was taken at `takenAt`, as far as it has not flowed back already. */
export function putBack(
  rate: Rate,
  level: BucketLevel,
  { tokens, takenAt }: { readonly tokens: number; readonly takenAt: number },
): BucketLevel {
  if (takenAt < level.busyFrom) return level
  return { ...level, arrivalAt: level.arrivalAt - (tokens * 1000) / rate.perSecond }
}
