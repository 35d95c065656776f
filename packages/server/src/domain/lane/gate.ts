// What the controller lets through until its next tick, as plain numbers, and the comparisons with the counts that they are
// for. Redis scripts make these comparisons and no others; the rules behind the numbers stay in the policies.
import type { LaneCounts } from './counts.ts'

export interface RetryGate {
  /** Only while fewer than this are in flight; null: however many. */
  readonly inFlightMax: number | null
  /** Most retries in any `RETRY_WINDOW_MS`. */
  readonly countMax: number
}

interface Common {
  /** Of the state it was made from: a result of an older one is not counted. */
  readonly epoch: number
  /** What the retry bucket holds at most. */
  readonly bucketMax: number
  /** What is added to the retry bucket, once, when this gate takes effect. */
  readonly refill: number
}

export interface FreeGate extends Common {
  readonly kind: 'free'
  /** Most in flight; null: no limit. */
  readonly limit: number | null
  /** After so many overloads nobody passes until the next tick, which sees them; null: however many. */
  readonly overloadsMax: number | null
  /** null: no retries. */
  readonly retry: RetryGate | null
}

/** From `notBefore` on, so many calls may pass in this epoch, to see whether the lane is well. */
export interface ProbingGate extends Common {
  readonly kind: 'probing'
  readonly notBefore: number
  readonly probesMax: number
}

/** Shut by an operator. */
interface ShutGate extends Common {
  readonly kind: 'shut'
}

export type Gate = FreeGate | ProbingGate | ShutGate

export const RETRY_WINDOW_MS = 10_000

export type Ask = { readonly kind: 'first' } | { readonly kind: 'retry'; readonly cost: number }

export type DenyReason =
  | 'open'
  /** As many probes as may be are under way or done. */
  | 'probing'
  | 'saturated'
  /** The lane takes no retries at present. */
  | 'no-retries'
  /** The retry bucket cannot pay. */
  | 'retry-bucket'
  /** The hard cap, or the share of first attempts. */
  | 'retry-cap'

export type Verdict = 'permit' | 'probe' | DenyReason

/** `retriesRecent` are those of the last `RETRY_WINDOW_MS`, `overloadsNew` those since the gate was made. */
export function judge(
  gate: Gate,
  counts: Pick<LaneCounts, 'inFlight' | 'bucket' | 'probes'> & {
    readonly retriesRecent: number
    readonly overloadsNew: number
  },
  { ask, now }: { readonly ask: Ask; readonly now: number },
): Verdict {
  if (gate.kind === 'shut') return 'open'
  if (gate.kind === 'probing') {
    if (now < gate.notBefore) return 'open'
    if (ask.kind === 'retry') return 'no-retries'
    const taken = counts.probes.epoch === gate.epoch ? counts.probes.taken : 0
    return taken < gate.probesMax ? 'probe' : 'probing'
  }
  if (gate.limit !== null && counts.inFlight >= gate.limit) return 'saturated'
  if (gate.overloadsMax !== null && counts.overloadsNew >= gate.overloadsMax) return 'saturated'
  if (ask.kind === 'first') return 'permit'
  if (gate.retry === null) return 'no-retries'
  if (gate.retry.inFlightMax !== null && counts.inFlight >= gate.retry.inFlightMax) return 'saturated'
  if (counts.retriesRecent >= gate.retry.countMax) return 'retry-cap'
  return counts.bucket >= ask.cost ? 'permit' : 'retry-bucket'
}
