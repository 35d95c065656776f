// The figures of a metric at one moment, in the form that an exporter sends.
import type { MetricEntry } from './entry.ts'

/** Counts by bucket, each for itself; values above the last bound are only in `count`. */
export interface DistributionReading {
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

export interface MetricReading {
  /** Without the prefix. */
  readonly name: string
  readonly entry: MetricEntry
  readonly points: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number | DistributionReading
  }[]
}
