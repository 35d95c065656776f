// The result of one simulated run: plain values, so that a run can be repeated, compared and drawn. Times count from
// the start of the run.
import type { Level } from '@mangaassist/server/domain/lane/level'

import type { ScaleHint } from './scale-hint.ts'

export type PolicyName = 'naive' | 'sdk' | 'reference' | 'ours'

/** Everything that happened in one second of a run. */
export interface Second {
  /** Shoppers who asked a question in this second. */
  readonly arrivals: number
  /** Calls that reached a provider, and how many of them failed, by the second in which the call began. */
  readonly attempts: number
  readonly failedAttempts: number
  /**
   * Calls made for shoppers who arrived in this second, whenever the call began: tries, retries, repeated questions.
   */
  readonly causedAttempts: number
  /**
   * Shoppers who arrived in this second and got the first word of a model in time (`good`), of the
   * ladder's first model (`goodOfFirst`), or any end of the answer (`answered`).
   */
  readonly good: number
  readonly goodOfFirst: number
  readonly answered: number
  /** Answers that ended in this second, by tier. */
  readonly ends: Readonly<Record<string, number>>
  /**
   * At the end of the second: questions queued on all nodes, calls in flight, and the level and limit of each lane
   * (null: no limit).
   */
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
  /** `peak` counts a call when it was made; `peakOfArrivals` in the second of the arrival that it was made for. */
  readonly amplification: { readonly mean: number; readonly peak: number; readonly peakOfArrivals: number }
  /** From 0 to 1, over the time of the faults. */
  readonly goodput: number
  /** From the end of the faults; null: the run ended before recovery. */
  readonly recoveryMs: number | null
  readonly unanswered: number
  /** Milliseconds from arrival, over every answer that had a first word. */
  readonly firstWordMs: { readonly p50: number; readonly p95: number; readonly p99: number }
  readonly microUsd: number
}

/** An event that a report shows: a fault begins or ends, a circuit opens, a node dies. */
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
  /** From the start of the first fault to the end of the last. */
  readonly faults: Span
  /** The periods with faults, or with more arrivals than usual, in order and apart from each other. */
  readonly incidents: readonly Span[]
  readonly seconds: readonly Second[]
  readonly moments: readonly Moment[]
  readonly figures: Figures
  /** What would have served everybody in time. */
  readonly hint: ScaleHint
  /** Hash of every event of the run, in order. */
  readonly traceHash: string
  readonly breaches: readonly string[]
}
