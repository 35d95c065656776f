// Measures the condition of one alarm: the value at each series, and whether the condition holds there. It remembers what it needs for
// its windows. Pure but for that memory.
import { metricCatalogue } from '../telemetry/catalogue.ts'
import type { MetricEntry } from '../telemetry/entry.ts'
import type { Alarm, BurnCondition, BurnPair, Condition, QuantileCondition } from './alarm.ts'
import { countOf, selectSeries, ALARM_SERIES_MAX } from './figures.ts'
import type { FigureSource, Selected, SeriesLabels } from './figures.ts'
import { History } from './history.ts'

export interface Measured {
  readonly labels: SeriesLabels
  readonly value: number
  readonly holds: boolean
}

export interface Meter {
  measure(now: number, source: FigureSource): ReadonlyMap<string, Measured>
}

/** `startedAt`: when the counters of the process were zero. */
export function meterOf({ by, condition }: Pick<Alarm, 'by' | 'condition'>, startedAt: number): Meter {
  switch (condition.kind) {
    case 'gauge':
      return { measure: (_, source) => judged(largest(source, by, condition.of), condition) }
    case 'used':
      return {
        measure(_, source) {
          const capacities = largest(source, by, condition.capacity)
          const used = new Map<string, Selected<number>>()
          for (const [key, { labels, value: free }] of largest(source, by, condition.free)) {
            const capacity = capacities.get(key)?.value ?? 0
            used.set(key, { labels, value: capacity <= 0 ? 0 : 1 - free / capacity })
          }
          return judged(used, condition)
        },
      }
    default:
      return new WindowMeter(condition, by, startedAt)
  }
}

type Windowed = Exclude<Condition, { readonly kind: 'gauge' | 'used' }>

function largest(
  source: FigureSource,
  by: readonly string[],
  selection: Extract<Condition, { readonly kind: 'gauge' }>['of'],
): ReadonlyMap<string, Selected<number>> {
  return selectSeries<number>(source, { by, selection }, (before = -Infinity, { value }) => Math.max(before, value))
}

function judged(
  series: ReadonlyMap<string, Selected<number>>,
  { above }: Pick<Condition, 'above'>,
): ReadonlyMap<string, Measured> {
  return new Map([...series].map(([key, series]) => [key, { ...series, holds: series.value > above }]))
}

/** The cumulative figures of each series, and what they rose by in the windows of the condition. */
class WindowMeter implements Meter {
  readonly #condition: Windowed
  readonly #by: readonly string[]
  readonly #startedAt: number
  readonly #histories = new Map<string, History>()

  constructor(condition: Windowed, by: readonly string[], startedAt: number) {
    this.#condition = condition
    this.#by = by
    this.#startedAt = startedAt
  }

  measure(now: number, source: FigureSource): ReadonlyMap<string, Measured> {
    const measured = new Map<string, Measured>()
    for (const [key, { labels, value: figures }] of this.#read(source)) {
      let history = this.#histories.get(key)
      if (history === undefined) {
        if (this.#histories.size === ALARM_SERIES_MAX) continue
        history = new History(windowsOf(this.#condition), { at: this.#startedAt, width: figures.length })
        this.#histories.set(key, history)
      }
      history.add(now, figures)
      measured.set(key, { labels, ...judge(this.#condition, history) })
    }
    return measured
  }

  #read(source: FigureSource): ReadonlyMap<string, Selected<readonly number[]>> {
    const condition = this.#condition
    const by = this.#by
    if (condition.kind === 'quantile') return observed(source, by, condition)
    if (condition.kind === 'increase') {
      const { of } = condition
      return selectSeries<readonly number[]>(source, { by, selection: of }, (before, figure) => [
        (before?.[0] ?? 0) + countOf(of, figure),
      ])
    }
    const { part, whole } = condition
    const sum = (selection: typeof part) =>
      selectSeries<number>(source, { by, selection }, (before = 0, figure) => before + countOf(selection, figure))
    const parts = sum(part)
    return new Map(
      [...sum(whole)].map(([key, { labels, value }]) => [key, { labels, value: [parts.get(key)?.value ?? 0, value] }]),
    )
  }
}

/** The counts of all buckets, and last the number of observations. */
function observed(
  source: FigureSource,
  by: readonly string[],
  { of: selection }: QuantileCondition,
): ReadonlyMap<string, Selected<readonly number[]>> {
  return selectSeries<readonly number[]>(source, { by, selection }, (before, { buckets, value }) => {
    const figures = [...(buckets?.counts ?? []), value]
    return before === undefined ? figures : figures.map((figure, index) => figure + (before[index] ?? 0))
  })
}

function windowsOf(condition: Windowed): readonly number[] {
  if (condition.kind !== 'burn') return [condition.windowMs]
  return [...new Set(condition.pairs.flatMap(({ longMs, shortMs }) => [longMs, shortMs]))]
}

function judge(condition: Windowed, history: History): Pick<Measured, 'value' | 'holds'> {
  if (condition.kind === 'burn') return judgeBurn(condition, history)
  const rise = history.increase(condition.windowMs)
  if (condition.kind === 'increase') return above(rise[0] ?? 0, condition.above)
  if (condition.kind === 'ratio') {
    const [part = 0, whole = 0] = rise
    return whole < condition.volumeMin ? { value: 0, holds: false } : above(part / whole, condition.above)
  }
  if ((rise.at(-1) ?? 0) < condition.volumeMin) return { value: 0, holds: false }
  return above(quantileOf(rise, condition), condition.above)
}

const above = (value: number, threshold: number) => ({ value, holds: value > threshold })

/** The value is the share of bad ones in the short window of the pair that holds, or of the first. */
function judgeBurn({ above: budget, pairs, volumeMin }: BurnCondition, history: History) {
  const shareIn = (windowMs: number) => {
    const [part = 0, whole = 0] = history.increase(windowMs)
    return { share: whole <= 0 ? 0 : part / whole, whole }
  }
  const results = pairs.map(({ longMs, rate, shortMs }: BurnPair) => {
    const short = shareIn(shortMs)
    const isBurning = (share: number) => share > rate * budget
    const holds = short.whole >= volumeMin && isBurning(short.share) && isBurning(shareIn(longMs).share)
    return { value: short.share, holds }
  })
  return results.find(({ holds }) => holds) ?? results[0] ?? { value: 0, holds: false }
}

/** Like Prometheus: linear within a bucket; above the last limit, that limit. */
function quantileOf(rise: readonly number[], { of, quantile }: QuantileCondition): number {
  const entry: MetricEntry = metricCatalogue[of.metric]
  const limits = entry.kind === 'histogram' ? entry.buckets : []
  const total = rise.at(-1) ?? 0
  const rank = quantile * total
  let below = 0
  for (const [index, limit] of limits.entries()) {
    const count = rise[index] ?? 0
    if (below + count >= rank && count > 0) {
      const from = index === 0 ? 0 : (limits[index - 1] ?? 0)
      return from + ((limit - from) * (rank - below)) / count
    }
    below += count
  }
  return limits.at(-1) ?? 0
}
