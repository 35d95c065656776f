// What the program tells its operators. Nothing personal goes in: principals are pseudonyms, and neither
// messages nor answers nor tokens are fields.

export type TelemetryFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Telemetry {
  /** Something happened that an operator may want to read. */
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: TelemetryFields, cause?: unknown): void
  /** Counts occurrences of a name. */
  count(name: string, fields?: TelemetryFields): void
  /** Adds a value to the distribution of a name; the name ends in its unit. */
  observe(name: string, value: number, fields?: TelemetryFields): void
}
