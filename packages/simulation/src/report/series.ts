// Groups the seconds of a run into buckets of equal size that fit the space. Rates are averaged, states take their
// worst value, and a bucket without data is null.
import { worstOf } from '@mangaassist/server/domain/lane/level'
import type { Level } from '@mangaassist/server/domain/lane/level'
import type { FleetRun, Second } from '../fleet/fleet-run.ts'

export interface Bucket {
  readonly fromMs: number
  readonly toMs: number
  /** At least one second. */
  readonly seconds: readonly Second[]
}

export interface Point {
  readonly fromMs: number
  readonly toMs: number
  readonly value: number | null
}

export interface LevelSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly level: Level
}

/** Text reports and pages draw at most this many lanes of a run. */
export const LANES_MAX = 6

export function bucketsOf(run: FleetRun, bucketsMax: number): readonly Bucket[] {
  const size = Math.max(1, Math.ceil(run.seconds.length / bucketsMax))
  return Array.from({ length: Math.ceil(run.seconds.length / size) }, (_, index) => {
    const seconds = run.seconds.slice(index * size, (index + 1) * size)
    return { fromMs: index * size * 1000, toMs: (index * size + seconds.length) * 1000, seconds }
  })
}

export function points(buckets: readonly Bucket[], value: (bucket: Bucket) => number | null): readonly Point[] {
  return buckets.map((bucket) => ({ fromMs: bucket.fromMs, toMs: bucket.toMs, value: value(bucket) }))
}

export type Count = 'arrivals' | 'attempts' | 'failedAttempts' | 'good'
export type State = 'waiting' | 'inFlight'

const sum = (seconds: readonly Second[], count: Count): number =>
  seconds.reduce((total, second) => total + second[count], 0)

export const perSecond =
  (count: Count) =>
  ({ seconds }: Bucket): number =>
    sum(seconds, count) / seconds.length

export const highest =
  (state: State) =>
  ({ seconds }: Bucket): number =>
    seconds.reduce((most, second) => Math.max(most, second[state]), 0)

export function goodShare({ seconds }: Bucket): number | null {
  const arrivals = sum(seconds, 'arrivals')
  return arrivals === 0 ? null : sum(seconds, 'good') / arrivals
}

export function lanesOf(run: FleetRun): readonly string[] {
  const lanes = new Set<string>()
  for (const second of run.seconds) for (const lane of Object.keys(second.lanes)) lanes.add(lane)
  return [...lanes]
}

/** The tightest limit of the lane within a bucket. */
export const limitOf =
  (lane: string) =>
  ({ seconds }: Bucket): number | null => {
    const limits = seconds.flatMap((second) => laneIn(second, lane)?.limit ?? [])
    return limits.length === 0 ? null : Math.min(...limits)
  }

export const levelOf =
  (lane: string) =>
  ({ seconds }: Bucket): Level | null => {
    const levels = seconds.flatMap((second) => laneIn(second, lane)?.level ?? [])
    return levels.length === 0 ? null : worstOf(levels)
  }

/** Periods of one level, from the first second to the last. */
export function levelSpans(buckets: readonly Bucket[], lane: string): readonly LevelSpan[] {
  const spans: LevelSpan[] = []
  for (const bucket of buckets) {
    const level = levelOf(lane)(bucket)
    if (level === null) continue
    const last = spans.at(-1)
    if (last && last.level === level && last.toMs === bucket.fromMs)
      spans[spans.length - 1] = { ...last, toMs: bucket.toMs }
    else spans.push({ fromMs: bucket.fromMs, toMs: bucket.toMs, level })
  }
  return spans
}

// A lane may have any name, even that of a member of Object.prototype.
function laneIn(second: Second, lane: string): Second['lanes'][string] | undefined {
  return Object.hasOwn(second.lanes, lane) ? second.lanes[lane] : undefined
}
