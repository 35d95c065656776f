// The entry of one metric or one log event in the catalogue, and the functions that make entries. A label has a bound on
// its values: a list of them, or a maximum with its reason. A log field has no bound, because a log line is not a series.

/** The base units. A plain number of things has the unit `count`, and no suffix for it in its name. */
export type Unit = 'count' | 'seconds' | 'bytes' | 'characters' | 'ratio' | 'tokens' | 'usd'

type LabelValue = string | number | boolean

/** The maximum number of values, and what keeps them few. */
export interface OpenBound {
  readonly valuesMax: number
  readonly because: string
}

export type LabelBounds = Readonly<Record<string, readonly LabelValue[] | OpenBound>>

interface MetricOf<Kind, Labels> {
  readonly kind: Kind
  readonly unit: Unit
  /** One sentence: the HELP line, and the row of the document. */
  readonly help: string
  readonly labels: Labels
  /** Fewer series than the product of the labels' bounds, because not every combination occurs. */
  readonly seriesMax?: number
  /** For a counter of fractions: what is counted is a whole number, and this many make one unit. Sums of fractions would drift. */
  readonly perUnit?: number
}

export type CounterEntry<Labels = LabelBounds> = MetricOf<'counter', Labels>
export type GaugeEntry<Labels = LabelBounds> = MetricOf<'gauge', Labels>
export interface HistogramEntry<Labels = LabelBounds> extends MetricOf<'histogram', Labels> {
  /** Upper bounds, rising; the last bucket has none. */
  readonly buckets: readonly number[]
}
export type MetricEntry = CounterEntry | GaugeEntry | HistogramEntry

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface EventEntry<LevelOf extends LogLevel = LogLevel, Field extends string = string> {
  readonly levels: readonly LevelOf[]
  readonly help: string
  readonly fields: readonly Field[]
  /** A caller can cause it as often as it likes: equal lines are summed at every level. */
  readonly isSummed?: true
}

const NO_LABELS = {} as const
type NoLabels = typeof NO_LABELS

export function counter(help: string): CounterEntry<NoLabels>
export function counter<const Labels extends LabelBounds>(help: string, labels: Labels): CounterEntry<Labels>
export function counter(help: string, labels: LabelBounds = NO_LABELS): CounterEntry {
  return { kind: 'counter', unit: 'count', help, labels }
}

/** A counter of a unit; the whole numbers that are counted are parts of it, `perUnit` of them in one. */
export function counterOf<const Labels extends LabelBounds>(
  help: string,
  { unit, perUnit = 1 }: { readonly unit: Unit; readonly perUnit?: number },
  labels: Labels,
): CounterEntry<Labels> {
  return { ...counter(help, labels), unit, ...(perUnit === 1 ? {} : { perUnit }) }
}

export function gauge(help: string, unit: Unit): GaugeEntry<NoLabels>
export function gauge<const Labels extends LabelBounds>(help: string, unit: Unit, labels: Labels): GaugeEntry<Labels>
export function gauge(help: string, unit: Unit, labels: LabelBounds = NO_LABELS): GaugeEntry {
  return { kind: 'gauge', unit, help, labels }
}

/** A unit and the buckets that fit what is measured. */
export interface Scale {
  readonly unit: Unit
  readonly buckets: readonly number[]
}

export function histogram(help: string, scale: Scale): HistogramEntry<NoLabels>
export function histogram<const Labels extends LabelBounds>(
  help: string,
  scale: Scale,
  labels: Labels,
): HistogramEntry<Labels>
export function histogram(help: string, { unit, buckets }: Scale, labels: LabelBounds = NO_LABELS): HistogramEntry {
  return { kind: 'histogram', unit, buckets, help, labels }
}

export function event<const LevelOf extends LogLevel, const Field extends string = never>(
  level: LevelOf | readonly LevelOf[],
  help: string,
  fields: readonly Field[] = [],
): EventEntry<LevelOf, Field> {
  return { levels: typeof level === 'string' ? [level] : level, help, fields }
}
