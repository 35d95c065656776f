// What a simulated run of a fleet is given and gives: plain values, so that a run can be repeated, compared and drawn.
// Time in a run counts from its start.
import type { Level } from '@mangaassist/server/domain/lane/level'

export type PolicyName = 'naive' | 'sdk' | 'reference' | 'ours'

/** Everything that happened in one second of a run. */
export interface Second {
  /** People who came with a question. */
  readonly arrivals: number
  /** Calls that reached a provider, and those of them that failed; each by the second it began in. */
  readonly attempts: number
  readonly failedAttempts: number
  /** Calls that those who came in this second caused, whenever they began: tries, retries, asking again. */
  readonly causedAttempts: number
  /** Of those who came in this second: a model's first word within their patience, of the ladder's first model alone, any end at all. */
  readonly good: number
  readonly goodOfFirst: number
  readonly answered: number
  /** Answers that ended in this second, by tier. */
  readonly ends: Readonly<Record<string, number>>
  /** At the end of the second: questions in line on all nodes, calls under way, and per lane its level and limit (null: none). */
  readonly waiting: number
  readonly inFlight: number
  readonly lanes: Readonly<Record<string, { readonly level: Level; readonly limit: number | null }>>
  readonly nodes: number
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export interface Figures {
  readonly arrivals: number
  readonly attempts: number
  readonly failedAttempts: number
  /** `peak` by when the calls were made; `peakOfArrivals` by whom they were made for. */
  readonly amplification: { readonly mean: number; readonly peak: number; readonly peakOfArrivals: number }
  /** 0 to 1, over the span of the faults. */
  readonly goodput: number
  /** From heal on; null: not within the run. */
  readonly recoveryMs: number | null
  readonly unanswered: number
  /** Of all whose first word came, in milliseconds from arrival. */
  readonly firstWordMs: { readonly p50: number; readonly p95: number; readonly p99: number }
  readonly microUsd: number
}

/** Something worth a line in the story of a run: a fault begins or ends, a circuit opens, a node dies. */
export interface Moment {
  readonly atMs: number
  readonly what: string
}

export interface FleetRun {
  readonly scenario: string
  readonly policy: PolicyName
  readonly seed: number
  readonly nodes: number
  readonly arrivalsPerSecond: number
  readonly faults: Span
  readonly seconds: readonly Second[]
  readonly moments: readonly Moment[]
  readonly figures: Figures
  /** Of everything that happened, in order. */
  readonly traceHash: string
  readonly breaches: readonly string[]
}
