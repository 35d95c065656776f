// Telemetry that remembers what it was told, for tests to look at. The oldest is forgotten past the bound.
import type { TelemetryFields, TelemetrySink } from '#ports/telemetry/port.ts'

const ENTRIES_MAX = 10_000

interface LoggedEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: TelemetryFields
  readonly cause: unknown
}

export interface MemoryTelemetry extends TelemetrySink {
  readonly logged: readonly LoggedEvent[]
  readonly observed: readonly { readonly name: string; readonly value: number; readonly fields: TelemetryFields }[]
  readonly counted: readonly { readonly name: string; readonly fields: TelemetryFields }[]
}

export function memoryTelemetry(): MemoryTelemetry {
  const logged: LoggedEvent[] = []
  const counted: { name: string; fields: TelemetryFields }[] = []
  const observed: { name: string; value: number; fields: TelemetryFields }[] = []
  const remember = <Entry>(entries: Entry[], entry: Entry) => {
    if (entries.length === ENTRIES_MAX) entries.shift()
    entries.push(entry)
  }

  return {
    logged,
    counted,
    observed,
    log(level, event, fields = {}, cause) {
      remember(logged, { level, event, fields, cause })
    },
    count(name, fields = {}) {
      remember(counted, { name, fields })
    },
    observe(name, value, fields = {}) {
      remember(observed, { name, value, fields })
    },
  }
}
