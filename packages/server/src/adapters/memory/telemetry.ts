// Telemetry that stores what is reported, for tests to read. The oldest is dropped past the bound. Ids are counted, not drawn,
// so that a test's own random numbers stay the same.
import type { EndedSpan, ScopeIds, Telemetry, TelemetryFields, TelemetrySink } from '#ports/telemetry/port.ts'
import { telemetryTo } from '#ports/telemetry/telemetry-to.ts'
import type { TelemetryParts } from '#ports/telemetry/telemetry-to.ts'

const ENTRIES_MAX = 10_000

interface LoggedEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: TelemetryFields
  readonly cause: unknown
  /** Set for reports through a scope. */
  readonly within?: ScopeIds
}

export interface MemorySink extends TelemetrySink {
  readonly logged: readonly LoggedEvent[]
  readonly observed: readonly { readonly name: string; readonly value: number; readonly fields: TelemetryFields }[]
  /** `by` is absent where one was counted. */
  readonly counted: readonly { readonly name: string; readonly fields: TelemetryFields; readonly by?: number }[]
  readonly spans: readonly EndedSpan[]
}

export interface MemoryTelemetry extends Telemetry, Pick<MemorySink, 'logged' | 'observed' | 'counted' | 'spans'> {
  /** The scopes among the spans. */
  readonly ended: readonly EndedSpan[]
}

export function memorySink(): MemorySink {
  const logged: LoggedEvent[] = []
  const counted: { name: string; fields: TelemetryFields; by?: number }[] = []
  const observed: { name: string; value: number; fields: TelemetryFields }[] = []
  const spans: EndedSpan[] = []
  const remember = <Entry>(entries: Entry[], entry: Entry) => {
    if (entries.length === ENTRIES_MAX) entries.shift()
    entries.push(entry)
  }

  return {
    wantsSpans: true,
    logged,
    counted,
    observed,
    spans,
    log: ({ level, event, fields = {}, cause, within }) =>
      remember(logged, { level, event, fields, cause, ...(within === undefined ? {} : { within: idsOf(within) }) }),
    count: ({ name, by, fields = {} }) => remember(counted, { name, fields, ...(by === undefined ? {} : { by }) }),
    observe: ({ name, value, fields = {} }) => remember(observed, { name, value, fields }),
    spanEnded: (span) => remember(spans, span),
  }
}

export interface MemoryTelemetryOptions {
  /** Default: time stands still. */
  readonly now?: () => number
  /** More sinks that receive every report. */
  readonly sinks?: readonly TelemetrySink[]
  /** Default: calls of stores have no spans. */
  readonly context?: TelemetryParts['context']
}

export function memoryTelemetry({ context, now = () => 0, sinks = [] }: MemoryTelemetryOptions = {}): MemoryTelemetry {
  const sink = memorySink()
  const telemetry = telemetryTo({
    clock: { now },
    random: { hex: countedHex() },
    sinks: [sink, ...sinks],
    ...(context === undefined ? {} : { context }),
  })
  const { counted, logged, observed, spans } = sink
  return {
    ...telemetry,
    logged,
    counted,
    observed,
    spans,
    get ended() {
      return spans.filter(({ kind }) => kind === 'scope')
    },
  }
}

/** A copy of the current ids: a scope may still become a turn's. */
function idsOf({ fields, requestId, trace, turnId }: ScopeIds): ScopeIds {
  return { fields, requestId, trace, turnId }
}

function countedHex(): (bytes: number) => string {
  let drawn = 0
  // The middle digits differ too: a trace id and a span id that are cut from one draw are both new.
  return (bytes) => {
    drawn += 1
    const digits = drawn.toString(16).padStart(16, '0')
    return digits.repeat(Math.ceil(bytes / 8)).slice(0, 2 * bytes)
  }
}
