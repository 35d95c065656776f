// Every metric and every log event, by name. The telemetry port takes no other name, label or field; HELP and TYPE at
// `/metrics` come from here, and so does what `mangaassist metrics` prints. A metric is exported as PREFIX and its name.
import { alarmEvents, alarmMetrics } from './alarm-names.ts'
import { edgeEvents, edgeMetrics } from './edge-names.ts'
import type { EventEntry, MetricEntry } from './entry.ts'
import { exportEvents, exportMetrics } from './export-names.ts'
import { processMetricNames } from './process-names.ts'
import { modelEvents, modelMetrics } from './model-names.ts'
import { storeEvents, storeMetrics } from './store-names.ts'
import { turnEvents, turnMetrics } from './turn-names.ts'

export const PREFIX = 'mangaassist_'

const metrics = {
  ...edgeMetrics,
  ...turnMetrics,
  ...modelMetrics,
  ...storeMetrics,
  ...exportMetrics,
  ...processMetricNames,
  ...alarmMetrics,
}
const events = { ...edgeEvents, ...turnEvents, ...modelEvents, ...storeEvents, ...exportEvents, ...alarmEvents }

export const metricCatalogue: Readonly<Record<MetricName, MetricEntry>> = metrics
export const eventCatalogue: Readonly<Record<EventName, EventEntry>> = events

type Metrics = typeof metrics
type Events = typeof events

type MetricName = keyof Metrics
type NamesOf<Kind> = { [Name in MetricName]: Metrics[Name]['kind'] extends Kind ? Name : never }[MetricName]
export type CounterName = NamesOf<'counter'>
export type HistogramName = NamesOf<'histogram'>
export type GaugeName = NamesOf<'gauge'>
export type EventName = keyof Events

type ValueOf<Bound> = Bound extends readonly (infer Value)[] ? Value : string | number
type Labels = {
  readonly [Name in MetricName]: {
    readonly [Label in keyof Metrics[Name]['labels']]: ValueOf<Metrics[Name]['labels'][Label]>
  }
}
/** The labels of a metric with their values; all of them have to be given. */
export type LabelsOf<Name extends MetricName> = Labels[Name]

/** Metrics without labels are reported by their name alone. */
export type PlainName<Name extends MetricName> = { [One in Name]: keyof Labels[One] extends never ? One : never }[Name]
export type LabelledName<Name extends MetricName> = Exclude<Name, PlainName<Name>>

type Fields = {
  readonly [Name in EventName]: {
    readonly [Field in Events[Name]['fields'][number]]?: string | number | boolean | undefined
  }
}
export type FieldsOf<Name extends EventName> = Fields[Name]
export type LevelOf<Name extends EventName> = Events[Name]['levels'][number]
