// Counters, distributions and gauges of this process, as Prometheus reads them; `metrics-sink.ts` feeds them. Names, kinds,
// labels and HELP lines are those of the catalogue. The number of series is bounded: a label with unbounded values would
// fill our memory and the scraper's.
import { metricCatalogue, PREFIX } from '#domain/telemetry/catalogue.ts'
import type { CounterName, GaugeName } from '#domain/telemetry/catalogue.ts'
import type { FigureSource, SeriesFigure } from '#domain/alarms/figures.ts'
import type { HistogramEntry, LabelBounds, MetricEntry } from '#domain/telemetry/entry.ts'
import type { MetricReading } from '#domain/telemetry/metric-reading.ts'
import { knownSeries, seriesMaxOf } from '#domain/telemetry/series.ts'
import type { TelemetryFields } from '#ports/telemetry/port.ts'

/** Long enough for every route: two routes cut to the same text would become one series. */
const LABEL_LENGTH_MAX = 128

interface Distribution {
  readonly counts: number[]
  sum: number
  count: number
}

/** One figure, or one for each set of labels. */
type Reading = number | readonly { readonly fields: TelemetryFields; readonly value: number }[]

interface Counter {
  readonly entry: MetricEntry
  readonly seriesMax: number
  readonly series: Map<string, number>
}

interface Histogram {
  readonly entry: HistogramEntry
  readonly seriesMax: number
  readonly series: Map<string, Distribution>
}

export class MetricsRegistry implements FigureSource {
  readonly #catalogue: Readonly<Record<string, MetricEntry>>
  readonly #counters = new Map<string, Counter>()
  readonly #histograms = new Map<string, Histogram>()
  readonly #gauges: { readonly name: string; readonly entry: MetricEntry; readonly read: () => Reading }[] = []
  #dropped = 0

  /** A counter whose series are all known is 0 from the start: a scraper sees no increase in a series that begins with 1. */
  constructor(catalogue: Readonly<Record<string, MetricEntry>> = metricCatalogue) {
    this.#catalogue = catalogue
    for (const [name, entry] of Object.entries(catalogue)) {
      const seriesMax = seriesMaxOf(entry)
      if (entry.kind === 'histogram') this.#histograms.set(name, { entry, seriesMax, series: new Map() })
      if (entry.kind !== 'counter') continue
      const zeros = knownSeries(entry).map((labels) => [labelsOf(entry.labels, labels), 0] as const)
      this.#counters.set(name, { entry, seriesMax, series: new Map(zeros) })
    }
  }

  count(name: string, fields: TelemetryFields = {}, by = 1): void {
    const counter = this.#counters.get(name)
    if (counter === undefined) return this.#drop()
    const labels = labelsOf(counter.entry.labels, fields)
    if (this.#hasRoom(counter, labels)) counter.series.set(labels, (counter.series.get(labels) ?? 0) + by)
  }

  observe(name: string, value: number, fields: TelemetryFields = {}): void {
    const histogram = this.#histograms.get(name)
    if (histogram === undefined) return this.#drop()
    const { buckets, labels: bounds } = histogram.entry
    const labels = labelsOf(bounds, fields)
    if (!this.#hasRoom(histogram, labels)) return
    let distribution = histogram.series.get(labels)
    if (distribution === undefined) {
      distribution = { counts: buckets.map(() => 0), sum: 0, count: 0 }
      histogram.series.set(labels, distribution)
    }
    const bucket = buckets.findIndex((limit) => value <= limit)
    if (bucket !== -1) distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1
    distribution.sum += value
    distribution.count += 1
  }

  /** A figure that is read when `/metrics` is. */
  gauge(name: GaugeName, read: () => Reading): void {
    const entry = this.#catalogue[name]
    if (entry !== undefined) this.#gauges.push({ name, entry, read })
  }

  /** All metrics that have series, as an exporter sends them. */
  readings(): readonly MetricReading[] {
    this.#updateDropped()
    const gauges = this.#gauges.map(({ entry, name, read }) => ({ name, entry, series: gaugeSeries(entry, read()) }))
    const counted = [...this.#counters, ...this.#histograms].map(([name, metric]) => ({ name, ...metric }))
    return [...gauges, ...counted]
      .filter(({ series }) => series.size > 0)
      .map(({ entry, name, series }) => ({
        name,
        entry,
        points: [...series].map(([labels, value]) => ({ labels: labelsIn(labels), value: inUnits(value, entry) })),
      }))
  }

  /** The series of one metric now, for the alarms. */
  figures(name: string): readonly SeriesFigure[] {
    if (name === DROPPED) this.#updateDropped()
    const counter = this.#counters.get(name)
    if (counter !== undefined)
      return [...counter.series].map(([labels, value]) => ({
        labels: labelsIn(labels),
        value: value / (counter.entry.perUnit ?? 1),
      }))
    const histogram = this.#histograms.get(name)
    if (histogram !== undefined) {
      const { buckets: limits } = histogram.entry
      return [...histogram.series].map(([labels, { count, counts }]) => ({
        labels: labelsIn(labels),
        value: count,
        buckets: { limits, counts },
      }))
    }
    return this.#gauges
      .filter((gauge) => gauge.name === name)
      .flatMap(({ entry, read }) =>
        [...gaugeSeries(entry, read())].map(([labels, value]) => ({ labels: labelsIn(labels), value })),
      )
  }

  /** A sum that the process or a part of it already has: read when `/metrics` is, in its unit. It only ever rises. */
  cumulative(name: CounterName, read: () => Reading): void {
    const entry = this.#catalogue[name]
    if (entry === undefined) return
    this.#counters.delete(name)
    this.#gauges.push({ name, entry, read })
  }

  text(): string {
    this.#updateDropped()
    const lines = [
      ...this.#gauges.flatMap(({ entry, name, read }) => gaugeLines(name, entry, read())),
      ...[...this.#counters].flatMap(([name, { entry, series }]) => counterLines(name, entry, series)),
      ...[...this.#histograms].flatMap(([name, { entry, series }]) => histogramLines(name, entry, series)),
    ]
    return `${lines.join('\n')}\n`
  }

  #updateDropped(): void {
    this.#counters.get(DROPPED)?.series.set('', this.#dropped)
  }

  #hasRoom({ series, seriesMax }: Counter | Histogram, labels: string): boolean {
    if (series.has(labels) || series.size < seriesMax) return true
    this.#drop()
    return false
  }

  #drop(): void {
    this.#dropped += 1
  }
}

const DROPPED = 'metric_updates_dropped_total'

function gaugeLines(name: string, entry: MetricEntry, reading: Reading): string[] {
  return counterLines(name, entry, gaugeSeries(entry, reading))
}

/** By their labels: a text with the same series twice is not valid. */
function gaugeSeries(entry: MetricEntry, reading: Reading): ReadonlyMap<string, number> {
  const readings = typeof reading === 'number' ? [{ fields: {}, value: reading }] : reading
  const shown = readings.slice(0, seriesMaxOf(entry))
  return new Map(shown.map(({ fields, value }) => [labelsOf(entry.labels, fields), value]))
}

/** Returns no lines for a metric without series: a name without samples is of no use. */
function counterLines(name: string, entry: MetricEntry, series: ReadonlyMap<string, number>): string[] {
  const lines = [...series].map(([labels, value]) => `${PREFIX}${name}${braced(labels)} ${shownValue(value, entry)}`)
  return lines.length === 0 ? [] : [...head(name, entry), ...lines]
}

/** A distribution is observed in its unit. */
function inUnits(value: number | Distribution, { perUnit = 1 }: MetricEntry): number | Distribution {
  return typeof value === 'number' ? value / perUnit : value
}

/** In units, exactly: the digits of a whole number with a point in them. */
function shownValue(value: number, { perUnit = 1 }: MetricEntry): string {
  if (perUnit === 1) return String(value)
  const digits = String(perUnit).length - 1
  const whole = Math.floor(value / perUnit)
  const rest = String(value % perUnit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return rest === '' ? String(whole) : `${whole}.${rest}`
}

function histogramLines(name: string, entry: HistogramEntry, series: ReadonlyMap<string, Distribution>): string[] {
  const metric = PREFIX + name
  const lines = [...series].flatMap(([labels, { count, counts, sum }]) => {
    let below = 0
    const bucketLines = entry.buckets.map((limit, index) => {
      below += counts[index] ?? 0
      return `${metric}_bucket${braced(labels, `le="${limit}"`)} ${below}`
    })
    return [
      ...bucketLines,
      `${metric}_bucket${braced(labels, 'le="+Inf"')} ${count}`,
      `${metric}_sum${braced(labels)} ${sum}`,
      `${metric}_count${braced(labels)} ${count}`,
    ]
  })
  return lines.length === 0 ? [] : [...head(name, entry), ...lines]
}

function head(name: string, { help, kind }: MetricEntry): string[] {
  const escapedHelp = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return [`# HELP ${PREFIX}${name} ${escapedHelp}`, `# TYPE ${PREFIX}${name} ${kind}`]
}

/** Only labels of the catalogue, in its order: whatever else was given is for the log. */
function labelsOf(bounds: LabelBounds, fields: TelemetryFields): string {
  let labels = ''
  for (const name in bounds) {
    const value = fields[name]
    if (value !== undefined) labels += `${labels === '' ? '' : ','}${name}="${escaped(String(value))}"`
  }
  return labels
}

function escaped(value: string): string {
  const short = value.length > LABEL_LENGTH_MAX ? value.slice(0, LABEL_LENGTH_MAX).toWellFormed() : value
  return /[\\"\n]/.test(short) ? short.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : short
}

function braced(labels: string, more = ''): string {
  const all = [labels, more].filter((part) => part !== '').join(',')
  return all === '' ? '' : `{${all}}`
}

const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

/** The labels of a series, from its key. */
function labelsIn(key: string): Record<string, string> {
  const found = [...key.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)] as const)
  return Object.fromEntries(found)
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
}
