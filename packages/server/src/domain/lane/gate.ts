// What the controller lets through until its next tick, as plain numbers, and the comparisons of these numbers with the counts.
// Redis scripts make these comparisons and no others; the rules behind the numbers stay in the policies.
import type { LaneCounts } from './counts.ts'

export interface RetryGate {
  /** Retries pass only while fewer calls than this are in flight; null: no such limit. */
  readonly inFlightMax: number | null
  /** Maximum retries in any `RETRY_WINDOW_MS`. */
  readonly countMax: number
}

interface Common {
  /** The epoch of the state that the gate was made from: a result of an older epoch is not counted. */
  readonly epoch: number
  /** The size of the retry bucket. */
  readonly bucketMax: number
  /** Added once to the retry bucket when this gate takes effect. */
  readonly refill: number
}

export interface FreeGate extends Common {
  readonly kind: 'free'
  /** Maximum calls in flight; null: no limit. */
  readonly limit: number | null
  /** After this many refused or silent calls no call passes until the next tick, which reacts to them; null: no such limit. */
  readonly overloadsMax: number | null
  /** Maximum calls begun until the next tick; null: no such limit. */
  readonly startsMax: number | null
  /** null: no retries. */
  readonly retry: RetryGate | null
}

/** From `notBefore` on, `probesMax` calls may pass in this epoch as probes. */
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
  /** All probes of the stage are in flight or done. */
  | 'probing'
  | 'saturated'
  /** The lane takes no retries now. */
  | 'no-retries'
  /** The retry bucket holds less than the retry costs. */
  | 'retry-bucket'
  /** The maximum of retries in the window is reached. */
  | 'retry-cap'

export type Verdict = 'permit' | 'probe' | DenyReason

/** `retriesRecent` counts the last `RETRY_WINDOW_MS`, `overloadsNew` and `startsNew` the time since the gate was made. */
export function judge(
  gate: Gate,
  counts: Pick<LaneCounts, 'inFlight' | 'bucket' | 'probes'> & {
    readonly retriesRecent: number
    readonly overloadsNew: number
    readonly startsNew: number
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
  if (gate.startsMax !== null && counts.startsNew >= gate.startsMax) return 'saturated'
  if (ask.kind === 'first') return 'permit'
  if (gate.retry === null) return 'no-retries'
  if (gate.retry.inFlightMax !== null && counts.inFlight >= gate.retry.inFlightMax) return 'saturated'
  if (counts.retriesRecent >= gate.retry.countMax) return 'retry-cap'
  return counts.bucket >= ask.cost ? 'permit' : 'retry-bucket'
}
