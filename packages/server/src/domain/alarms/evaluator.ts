// Evaluates the alarms over the figures of one node: an alarm fires at a series once its condition has held there for `forMs`, and is
// resolved once it has not held for `clearMs`, so that a figure about its threshold makes one alarm and not ten. Pure: the caller
// says what time it is.
import type { Alarm } from './alarm.ts'
import type { FigureSource, SeriesLabels } from './figures.ts'
import { meterOf } from './measure.ts'
import type { Measured, Meter } from './measure.ts'

/** Where an alarm fires, with the figure that shows it. */
export interface FiringSeries {
  readonly labels: SeriesLabels
  /** The last value that was above the threshold. */
  readonly value: number
  /** Since when the condition has held. */
  readonly since: number
}

/** An alarm that fires on a node. */
export interface Firing {
  readonly id: string
  /** The oldest first; at most `REPORTED_SERIES_MAX`. */
  readonly series: readonly FiringSeries[]
  /** How many series are left out. */
  readonly more: number
}

/** What an alarm does at one series. */
type SeriesState =
  | { readonly kind: 'pending'; readonly since: number }
  | { readonly kind: 'firing'; readonly since: number; readonly value: number; readonly clearSince?: number }

/** Places of one alarm in a report: a report is read by people, and shared with other nodes. */
export const REPORTED_SERIES_MAX = 8

interface Watched {
  readonly alarm: Alarm
  readonly meter: Meter
  readonly series: Map<string, { readonly labels: SeriesLabels; readonly state: SeriesState }>
}

export class AlarmEvaluator {
  readonly #watched: readonly Watched[]

  /** `startedAt`: when the counters of the process were zero. */
  constructor(alarms: readonly Alarm[], startedAt: number) {
    this.#watched = alarms.map((alarm) => ({ alarm, meter: meterOf(alarm, startedAt), series: new Map() }))
  }

  evaluate(now: number, source: FigureSource): readonly Firing[] {
    return this.#watched.flatMap((watched) => {
      step(watched, now, watched.meter.measure(now, source))
      const firing = [...watched.series.values()]
        .flatMap(({ labels, state }) =>
          state.kind === 'firing' ? [{ labels, value: state.value, since: state.since }] : [],
        )
        .toSorted((a, b) => a.since - b.since)
      if (firing.length === 0) return []
      const series = firing.slice(0, REPORTED_SERIES_MAX)
      return [{ id: watched.alarm.id, series, more: firing.length - series.length }]
    })
  }
}

function step({ alarm, series }: Watched, now: number, measured: ReadonlyMap<string, Measured>): void {
  for (const [key, { labels, value, holds }] of measured) {
    const before = series.get(key)?.state
    const state = holds ? rising(before, now, { value, forMs: alarm.forMs }) : falling(before, now, alarm.clearMs)
    if (state === undefined) series.delete(key)
    else series.set(key, { labels, state })
  }
  // A series that is no longer there, such as the mark of an operator, does not hold.
  for (const [key, { labels, state: before }] of series) {
    if (measured.has(key)) continue
    const state = falling(before, now, alarm.clearMs)
    if (state === undefined) series.delete(key)
    else series.set(key, { labels, state })
  }
}

function rising(
  before: SeriesState | undefined,
  now: number,
  { forMs, value }: { readonly forMs: number; readonly value: number },
): SeriesState {
  const since = before?.since ?? now
  const fires = before?.kind === 'firing' || now - since >= forMs
  return fires ? { kind: 'firing', since, value } : { kind: 'pending', since }
}

function falling(before: SeriesState | undefined, now: number, clearMs: number): SeriesState | undefined {
  if (before?.kind !== 'firing') return undefined
  const clearSince = before.clearSince ?? now
  return now - clearSince >= clearMs ? undefined : { ...before, clearSince }
}
