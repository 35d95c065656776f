// What the program reports to its operators: only names, labels and fields of the catalogue. Nothing personal goes in:
// principals are pseudonyms, and neither messages nor answers nor tokens are fields.
import type {
  CounterName,
  EventName,
  FieldsOf,
  HistogramName,
  LabelledName,
  LabelsOf,
  LevelOf,
  PlainName,
} from '#domain/telemetry/catalogue.ts'
import type { Level } from '#domain/telemetry/entry.ts'

export interface Telemetry {
  /** Something happened that an operator may want to read. */
  log<Name extends EventName>(level: LevelOf<Name>, event: Name, fields?: FieldsOf<Name>, cause?: unknown): void
  /** Counts one occurrence. */
  count(name: PlainName<CounterName>): void
  count<Name extends LabelledName<CounterName>>(name: Name, labels: LabelsOf<Name>): void
  /** Adds a value to a distribution, in the unit that ends the name. */
  observe(name: PlainName<HistogramName>, value: number): void
  observe<Name extends LabelledName<HistogramName>>(name: Name, value: number, labels: LabelsOf<Name>): void
}

export type TelemetryFields = Readonly<Record<string, string | number | boolean | undefined>>

/** The same for what receives reports of every name: each sink is a telemetry, and can be one of several. */
export interface TelemetrySink {
  log(level: Level, event: string, fields?: TelemetryFields, cause?: unknown): void
  count(name: string, labels?: TelemetryFields): void
  observe(name: string, value: number, labels?: TelemetryFields): void
}
