// Counters, distributions and gauges of this process, as Prometheus reads them. Fed by the Telemetry port; the number of
// series is bounded, because a label whose values never end would fill our memory and the scraper's.
import type { Telemetry, TelemetryFields } from '#ports/telemetry/port.ts'

const PREFIX = 'mangaassist_'
const NAMES_MAX = 256
const SERIES_PER_NAME_MAX = 100
/** Long enough for the name of a lane: two that were cut to the same would be one series. */
const LABEL_LENGTH_MAX = 128
const MS_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 150, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000]
const BYTE_BUCKETS = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 262_144, 1_048_576]
const COUNT_BUCKETS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 100, 250, 1000, 5000]

interface Distribution {
  readonly buckets: readonly number[]
  readonly counts: number[]
  sum: number
  count: number
}

/** One figure, or one for each set of labels. */
type Reading = number | readonly { readonly fields: TelemetryFields; readonly value: number }[]

interface Gauge {
  readonly name: string
  readonly help: string
  readonly read: () => Reading
}

export class MetricsRegistry {
  readonly #counters = new Map<string, Map<string, number>>()
  readonly #distributions = new Map<string, Map<string, Distribution>>()
  readonly #gauges: Gauge[] = []
  #dropped = 0

  count(name: string, fields: TelemetryFields = {}): void {
    const series = this.#seriesOf(this.#counters, name)
    const labels = labelsOf(fields)
    if (series !== undefined && this.#hasRoom(series, labels)) series.set(labels, (series.get(labels) ?? 0) + 1)
  }

  /** Exports a counter as 0 before anything is counted: a scraper sees no increase in a series that begins with 1. */
  declare(name: string, fields: TelemetryFields = {}): void {
    const series = this.#seriesOf(this.#counters, name)
    const labels = labelsOf(fields)
    if (series !== undefined && this.#hasRoom(series, labels)) series.set(labels, series.get(labels) ?? 0)
  }

  observe(name: string, value: number, fields: TelemetryFields = {}): void {
    const series = this.#seriesOf(this.#distributions, name)
    const labels = labelsOf(fields)
    if (series === undefined || !this.#hasRoom(series, labels)) return
    let distribution = series.get(labels)
    if (distribution === undefined) {
      const buckets = bucketsFor(name)
      distribution = { buckets, counts: buckets.map(() => 0), sum: 0, count: 0 }
      series.set(labels, distribution)
    }
    const bucket = distribution.buckets.findIndex((limit) => value <= limit)
    if (bucket !== -1) distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1
    distribution.sum += value
    distribution.count += 1
  }

  /** A figure that is looked up when it is read. */
  gauge(name: string, help: string, read: () => Reading): void {
    this.#gauges.push({ name, help, read })
  }

  text(): string {
    const lines = [
      ...this.#gauges.flatMap((gauge) => gaugeLines(gauge)),
      ...[...this.#counters].flatMap(([name, series]) => counterLines(name, series)),
      ...[...this.#distributions].flatMap(([name, series]) => distributionLines(name, series)),
      ...head(`${PREFIX}metrics_dropped_total`, 'counter', 'Reports that were not kept: too many series.'),
      `${PREFIX}metrics_dropped_total ${this.#dropped}`,
    ]
    return `${lines.join('\n')}\n`
  }

  #seriesOf<Value>(all: Map<string, Map<string, Value>>, name: string): Map<string, Value> | undefined {
    const known = all.get(name)
    if (known !== undefined) return known
    if (all.size >= NAMES_MAX) {
      this.#dropped += 1
      return undefined
    }
    const series = new Map<string, Value>()
    all.set(name, series)
    return series
  }

  #hasRoom(series: ReadonlyMap<string, unknown>, labels: string): boolean {
    if (series.has(labels) || series.size < SERIES_PER_NAME_MAX) return true
    this.#dropped += 1
    return false
  }
}

/** A registry that knows what the process itself uses. */
export function processMetrics(): MetricsRegistry {
  const metrics = new MetricsRegistry()
  metrics.gauge('process_resident_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  metrics.gauge('process_heap_used_bytes', 'Used part of the heap.', () => process.memoryUsage().heapUsed)
  return metrics
}

/** Tells `telemetry` everything, and keeps the figures. */
export function metered(telemetry: Telemetry, metrics: MetricsRegistry): Telemetry {
  return {
    log: (level, event, fields, cause) => telemetry.log(level, event, fields, cause),
    count(name, fields) {
      metrics.count(name, fields)
      telemetry.count(name, fields)
    },
    observe(name, value, fields) {
      metrics.observe(name, value, fields)
      telemetry.observe(name, value, fields)
    },
  }
}

function gaugeLines({ help, name, read }: Gauge): string[] {
  const metric = metricName(name)
  const reading = read()
  const readings = typeof reading === 'number' ? [{ fields: {}, value: reading }] : reading
  // By their labels: a series that is told twice is no valid text.
  const series = new Map(readings.slice(0, SERIES_PER_NAME_MAX).map(({ fields, value }) => [labelsOf(fields), value]))
  const lines = [...series].map(([labels, value]) => `${metric}${braced(labels)} ${value}`)
  return lines.length === 0 ? [] : [...head(metric, 'gauge', help), ...lines]
}

function counterLines(name: string, series: ReadonlyMap<string, number>): string[] {
  const metric = `${metricName(name)}_total`
  return [
    ...head(metric, 'counter', `Occurrences of ${name}.`),
    ...[...series].map(([labels, value]) => `${metric}${braced(labels)} ${value}`),
  ]
}

function distributionLines(name: string, series: ReadonlyMap<string, Distribution>): string[] {
  const metric = metricName(name)
  return [
    ...head(metric, 'histogram', `Distribution of ${name}.`),
    ...[...series].flatMap(([labels, { buckets, count, counts, sum }]) => {
      let below = 0
      const bucketLines = buckets.map((limit, index) => {
        below += counts[index] ?? 0
        return `${metric}_bucket${braced(labels, `le="${limit}"`)} ${below}`
      })
      return [
        ...bucketLines,
        `${metric}_bucket${braced(labels, 'le="+Inf"')} ${count}`,
        `${metric}_sum${braced(labels)} ${sum}`,
        `${metric}_count${braced(labels)} ${count}`,
      ]
    }),
  ]
}

function head(metric: string, type: string, help: string): string[] {
  return [`# HELP ${metric} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${metric} ${type}`]
}

function metricName(name: string): string {
  return PREFIX + name.replaceAll(/[^A-Za-z0-9_]/g, '_')
}

function bucketsFor(name: string): readonly number[] {
  const unit = /[-_.]?([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  if (unit === 'ms') return MS_BUCKETS
  return unit === 'bytes' ? BYTE_BUCKETS : COUNT_BUCKETS
}

/** Fields that name one thing among endlessly many, such as a turn, are no labels: the log has them. */
function labelsOf(fields: TelemetryFields): string {
  let labels = ''
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || name.endsWith('Id')) continue
    labels += `${labels === '' ? '' : ','}${name.replaceAll(/\W/g, '_')}="${escaped(String(value))}"`
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
