// The figures of this process as alarms read them, and how series are selected and summed by labels. Pure.
import type { Counted, GaugeSelection, LabelFilter } from './alarm.ts'

/** One series now: the value of a counter or gauge; of a histogram the number of observations, and how many were in each bucket. */
export interface SeriesFigure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  readonly buckets?: { readonly limits: readonly number[]; readonly counts: readonly number[] }
}

export interface FigureSource {
  /** All series of a metric of the catalogue; none while nothing was counted. */
  figures(metric: string): readonly SeriesFigure[]
}

/** The labels by which an alarm is evaluated, with their values. */
export type SeriesLabels = Readonly<Record<string, string>>

export interface Selected<Value> {
  readonly labels: SeriesLabels
  readonly value: Value
}

/** The most series of one alarm, more than any label has values in a shop; the rest are left out. */
export const ALARM_SERIES_MAX = 64

export function seriesKey(labels: SeriesLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** Selects series of the catalogue and combines those that have the same labels `by`. */
export function selectSeries<Value>(
  source: FigureSource,
  { by, selection }: { readonly by: readonly string[]; readonly selection: Counted | GaugeSelection },
  combine: (before: Value | undefined, figure: SeriesFigure) => Value,
): ReadonlyMap<string, Selected<Value>> {
  const series = new Map<string, Selected<Value>>()
  for (const figure of source.figures(selection.metric)) {
    if (!isSelected(figure.labels, selection.where)) continue
    const labels: Record<string, string> = {}
    for (const name of by) labels[name] = figure.labels[name] ?? ''
    const key = seriesKey(labels)
    const before = series.get(key)
    if (before === undefined && series.size === ALARM_SERIES_MAX) continue
    series.set(key, { labels, value: combine(before?.value, figure) })
  }
  return series
}

/** Occurrences, or observations above the selected limit. */
export function countOf(selection: Counted, { buckets, value }: SeriesFigure): number {
  const over = 'over' in selection ? selection.over : undefined
  if (over === undefined || buckets === undefined) return value
  return buckets.limits.reduce(
    (rest, limit, index) => (limit <= over ? rest - (buckets.counts[index] ?? 0) : rest),
    value,
  )
}

function isSelected(labels: SeriesLabels, where: LabelFilter = {}): boolean {
  return Object.entries(where).every(([name, values]) => {
    const value = labels[name] ?? ''
    return 'not' in values ? !values.not.includes(value) : values.includes(value)
  })
}
