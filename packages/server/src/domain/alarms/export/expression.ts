// The condition of an alarm as an expression of Prometheus, over all nodes. Pure.
import { PREFIX } from '../../telemetry/catalogue.ts'
import type { Alarm, BurnCondition, Counted, GaugeSelection, LabelFilter, QuantileCondition } from '../alarm.ts'

export function expressionOf({ by, condition }: Pick<Alarm, 'by' | 'condition'>): string {
  switch (condition.kind) {
    case 'gauge':
      return `${largest(condition.of, by)} > ${numberText(condition.above)}`
    case 'used':
      // By instance: each node has a disk of its own.
      return `1 - ${largest(condition.free, ['instance', ...by])} / ${largest(condition.capacity, ['instance', ...by])} > ${numberText(condition.above)}`
    case 'increase':
      return `${increase(condition.of, by, condition.windowMs)} > ${numberText(condition.above)}`
    case 'ratio': {
      const { above, part, volumeMin, whole, windowMs } = condition
      const volume = increase(whole, by, windowMs)
      return `${increase(part, by, windowMs)} / ${volume} > ${numberText(above)} and ${volume} >= ${volumeMin}`
    }
    case 'quantile':
      return quantileExpression(condition, by)
    case 'burn':
      return burnExpression(condition, by)
  }
}

function largest({ metric, where }: GaugeSelection, by: readonly string[]): string {
  return `max${grouped(by)} (${PREFIX}${metric}${filterText(where)})`
}

function increase(selection: Counted, by: readonly string[], windowMs: number): string {
  const { metric, where } = selection
  const rise = (suffix: string, more: LabelFilter = {}) =>
    `sum${grouped(by)} (increase(${PREFIX}${metric}${suffix}${filterText({ ...where, ...more })}[${durationOf(windowMs)}]))`
  if (!isDistribution(selection)) return rise('')
  if (selection.over === undefined) return rise('_count')
  return `(${rise('_count')} - ${rise('_bucket', { le: [numberText(selection.over)] })})`
}

/** Names of distributions end in their unit, those of counters in `_total`. */
function isDistribution(selection: Counted): selection is Extract<Counted, { readonly over?: number }> {
  return !selection.metric.endsWith('_total')
}

function quantileExpression({ above, of, quantile, volumeMin, windowMs }: QuantileCondition, by: readonly string[]) {
  const buckets = `sum${grouped(['le', ...by])} (increase(${PREFIX}${of.metric}_bucket${filterText(of.where)}[${durationOf(windowMs)}]))`
  return `histogram_quantile(${quantile}, ${buckets}) > ${numberText(above)} and ${increase(of, by, windowMs)} >= ${volumeMin}`
}

function burnExpression({ above, pairs, part, volumeMin, whole }: BurnCondition, by: readonly string[]): string {
  const isBurning = (windowMs: number, rate: number) =>
    `${increase(part, by, windowMs)} / ${increase(whole, by, windowMs)} > ${numberText(rate * above)}`
  return pairs
    .map(({ longMs, rate, shortMs }) => {
      const volume = `${increase(whole, by, shortMs)} >= ${volumeMin}`
      return `(${isBurning(longMs, rate)} and ${isBurning(shortMs, rate)} and ${volume})`
    })
    .join(' or ')
}

function grouped(by: readonly string[]): string {
  return by.length === 0 ? '' : ` by (${by.join(', ')})`
}

export function filterText(where: LabelFilter = {}): string {
  const filters = Object.entries(where).map(([label, values]) => {
    const [operator, list] = 'not' in values ? (['!', values.not] as const) : (['=', values] as const)
    const isOne = list.length === 1
    const matcher = operator === '!' ? (isOne ? '!=' : '!~') : isOne ? '=' : '=~'
    return `${label}${matcher}"${list.map((value) => (isOne ? value : escapedPattern(value))).join('|')}"`
  })
  return filters.length === 0 ? '' : `{${filters.join(',')}}`
}

function escapedPattern(value: string): string {
  return value.replaceAll(/[.*+?()[\]{}|^$\\]/gu, (character) => `\\\\${character}`)
}

export function numberText(value: number): string {
  return String(Number(value.toPrecision(10)))
}

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

/** As Prometheus writes it: `5m`. */
export function durationOf(ms: number): string {
  for (const [unitMs, name] of UNITS) if (ms % unitMs === 0) return `${ms / unitMs}${name}`
  return `${ms}ms`
}
