// How many series a metric can have, by the bounds of its labels, and which are known before anything is counted.
import type { LabelBounds, MetricEntry } from './entry.ts'

/** No metric has more series than this; a catalogue entry whose labels allow more says its own bound. */
export const SERIES_MAX = 800
/** Known series that are exported as 0 from the start; more would be noise. */
const ZEROS_MAX = 40

type Labels = Readonly<Record<string, string | number | boolean>>

export function seriesMaxOf({ labels, seriesMax }: Pick<MetricEntry, 'labels' | 'seriesMax'>): number {
  return seriesMax ?? Object.values(labels).reduce((product, bound) => product * valuesMaxOf(bound), 1)
}

/** Every combination of labels, where all their values are known and not too many; one without labels for a plain metric. */
export function knownSeries(entry: Pick<MetricEntry, 'labels' | 'seriesMax'>): readonly Labels[] {
  if (seriesMaxOf(entry) > ZEROS_MAX) return []
  let series: readonly Labels[] = [{}]
  for (const [label, bound] of Object.entries(entry.labels)) {
    if ('valuesMax' in bound) return []
    series = series.flatMap((labels) => bound.map((value) => ({ ...labels, [label]: value })))
  }
  return series
}

function valuesMaxOf(bound: LabelBounds[string]): number {
  return 'valuesMax' in bound ? bound.valuesMax : bound.length
}
