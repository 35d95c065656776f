// A token bucket as one number: the theoretical arrival time of the generic cell rate algorithm (GCRA).
// Pure: the caller stores the number. A refusal changes nothing.

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export type GcraDecision =
  | { readonly allowed: true; readonly arrivalAt: number }
  | { readonly allowed: false; readonly retryAfterMs: number }

/** Tolerance: timestamps are large floats, so sums of intervals have rounding errors, and those must not refuse a request. */
const ROUNDING_MS = 0.05

export function gcra(rate: Rate, arrivalAt: number | undefined, now: number): GcraDecision {
  const intervalMs = 1000 / rate.perSecond
  const next = Math.max(arrivalAt ?? now, now) + intervalMs
  const excessMs = next - now - intervalMs * rate.burst
  return excessMs > ROUNDING_MS
    ? { allowed: false, retryAfterMs: Math.ceil(excessMs) }
    : { allowed: true, arrivalAt: next }
}
