// What an alarm is: a condition over metrics of the catalogue, how long it must hold, and what people are notified. The table of all
// alarms (`table/`) is the only source of what the process evaluates, of the rules for Prometheus and of the alarms for CloudWatch.
import type { CounterName, GaugeName, HistogramName } from '../telemetry/catalogue.ts'
import type { Unit } from '../telemetry/entry.ts'

/** `page`: wake someone; `warn`: look at it today; `info`: good to know. */
export const SEVERITIES = ['page', 'warn', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** By subject: the page of the dashboard and the group of Prometheus rules. */
export const ALARM_GROUPS = ['service', 'models', 'money', 'stores', 'nodes'] as const
export type AlarmGroup = (typeof ALARM_GROUPS)[number]

/** The values of labels that are counted; with `not`, all others are. */
export type LabelFilter = Readonly<Record<string, readonly string[] | { readonly not: readonly string[] }>>

interface Selection<Name> {
  readonly metric: Name
  readonly where?: LabelFilter
}

export type GaugeSelection = Selection<GaugeName>
export type CounterSelection = Selection<CounterName>
/** Observations of a distribution: all of them, or only those above a limit of its buckets. */
export interface HistogramSelection extends Selection<HistogramName> {
  readonly over?: number
}

/** What happened, counted: occurrences, or observations. */
export type Counted = CounterSelection | HistogramSelection

interface Threshold {
  /** The condition holds while the value is above this. */
  readonly above: number
}

/** The largest value of a gauge. */
export interface GaugeCondition extends Threshold {
  readonly kind: 'gauge'
  readonly of: GaugeSelection
}

/** How much of a capacity is used, from 0 to 1. */
export interface UsedCondition extends Threshold {
  readonly kind: 'used'
  readonly free: GaugeSelection
  readonly capacity: GaugeSelection
}

/** How often something happened in a window. */
export interface IncreaseCondition extends Threshold {
  readonly kind: 'increase'
  readonly of: Counted
  readonly windowMs: number
}

/** The share of a window's occurrences that were bad. */
export interface RatioCondition extends Threshold {
  readonly kind: 'ratio'
  readonly part: Counted
  readonly whole: Counted
  readonly windowMs: number
  /** With fewer occurrences in the window the ratio means nothing, and the condition does not hold. */
  readonly volumeMin: number
}

/** A quantile of a distribution's observations in a window. */
export interface QuantileCondition extends Threshold {
  readonly kind: 'quantile'
  readonly of: HistogramSelection
  readonly quantile: number
  readonly windowMs: number
  readonly volumeMin: number
}

/** Two windows of one burn rate: the long one shows that it matters, the short one that it still happens. */
export interface BurnPair {
  readonly longMs: number
  readonly shortMs: number
  /** How many times faster than allowed the error budget is used. */
  readonly rate: number
}

/** The error budget of a service level is used up too fast, in both windows of one pair. `above` is the share that may be bad. */
export interface BurnCondition extends Threshold {
  readonly kind: 'burn'
  readonly part: Counted
  readonly whole: Counted
  readonly pairs: readonly BurnPair[]
  /** In the short window of a pair. */
  readonly volumeMin: number
}

export type Condition =
  | GaugeCondition
  | UsedCondition
  | IncreaseCondition
  | RatioCondition
  | QuantileCondition
  | BurnCondition

export interface AlarmEntry {
  readonly title: { readonly ja: string; readonly en: string }
  readonly severity: Severity
  readonly group: AlarmGroup
  readonly condition: Condition
  /** The labels by which it is evaluated: each set of their values is a series where the alarm fires. Evidence in messages. */
  readonly by: readonly string[]
  /** How long the condition must hold before the alarm fires. */
  readonly forMs: number
  /** How long the condition must not hold before the alarm is resolved. */
  readonly clearMs: number
  /** The unit of the value that is compared. */
  readonly unit: Unit
}

export interface Alarm extends AlarmEntry {
  readonly id: string
}

/** What a shop changes about one alarm (`alarms.rules`). */
export interface AlarmRule {
  readonly enabled?: boolean
  readonly above?: number
  readonly forMs?: number
  readonly windowMs?: number
  readonly severity?: Severity
}

/** The alarms as a shop has set them, without those that are switched off. */
export function alarmsWith(alarms: readonly Alarm[], rules: Readonly<Record<string, AlarmRule | undefined>>): Alarm[] {
  return alarms.flatMap((alarm) => {
    const { above, enabled = true, forMs, severity, windowMs } = rules[alarm.id] ?? {}
    if (!enabled) return []
    const hasWindow = 'windowMs' in alarm.condition
    const condition = {
      ...alarm.condition,
      ...(above === undefined ? {} : { above }),
      ...(windowMs === undefined || !hasWindow ? {} : { windowMs }),
    } as Condition
    return [{ ...alarm, condition, severity: severity ?? alarm.severity, forMs: forMs ?? alarm.forMs }]
  })
}

/** The metrics that a condition reads. */
export function metricsOf(condition: Condition): readonly string[] {
  return selectionsOf(condition).map(({ metric }) => metric)
}

/** The series that a condition reads; the first has all labels by which the alarm is evaluated. */
export function selectionsOf(condition: Condition): readonly (Counted | GaugeSelection)[] {
  if (condition.kind === 'used') return [condition.free, condition.capacity]
  return 'of' in condition ? [condition.of] : [condition.part, condition.whole]
}
