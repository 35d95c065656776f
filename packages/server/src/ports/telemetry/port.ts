// The reports of the program to its operators: log lines, counts and distributions of the process, and for each request or
// turn a scope with its spans. Sinks receive them. Only names, labels and fields of the catalogue are reported, and nothing
// personal: principals are pseudonyms, and messages, answers and tokens are never fields.
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
import type { LogLevel } from '#domain/telemetry/entry.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { SpanEventFields, SpanEventName, SpanName } from '#domain/telemetry/span-names.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'

export type TelemetryFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Reports {
  /** Something happened that an operator may want to read. */
  log<Name extends EventName>(level: LevelOf<Name>, event: Name, fields?: FieldsOf<Name>, cause?: unknown): void
  /** Counts one occurrence, or as many as `by`: a whole number, in the parts of a unit that the catalogue names (`perUnit`). */
  count(name: PlainName<CounterName>): void
  count<Name extends LabelledName<CounterName>>(name: Name, labels: LabelsOf<Name>, by?: number): void
  /** Adds a value to a distribution, in the unit that ends the name. */
  observe(name: PlainName<HistogramName>, value: number): void
  observe<Name extends LabelledName<HistogramName>>(name: Name, value: number, labels: LabelsOf<Name>): void
}

/** Reports of any name, for code that only passes them on and does not know the catalogue. */
export interface AnyReports {
  log(level: LogLevel, event: string, fields?: TelemetryFields, cause?: unknown): void
  count(name: string, fields?: TelemetryFields, by?: number): void
  observe(name: string, value: number, fields?: TelemetryFields): void
}

export interface Telemetry extends Reports {
  /** Begins the scope of a request, or of work that the server begins by itself. The caller must make sure that it ends. */
  scope(opening: ScopeOpening): Scope
  /**
   * The scope or span `within` which the caller runs, for the adapters of stores, whose ports carry no scope. Undefined outside of any, after
   * its end, and where no spans are made.
   */
  currentSpan(): CurrentSpan | undefined
}

/** The same object as long as it is the same scope or span. */
export interface CurrentSpan {
  /** A child for one call of a store, up to a bound for each parent. */
  storeCall(attributes: SpanFields): Span
}

/** By which door a request came, or why the server began a turn by itself. */
export type ScopeDoor = 'ws' | 'sse' | 'http' | 'v1' | 'admin' | 'takeover' | 'deferred'

export interface ScopeOpening {
  readonly door: ScopeDoor
  /** The pattern of a route or the type of a frame: few values, and nothing of the request itself. */
  readonly name: string
  readonly requestId?: string | undefined
  readonly turnId?: string | undefined
  /** The trace context that the caller sent: the scope belongs to this trace. Without it the scope begins a new trace. */
  readonly parent?: TraceContext | undefined
  /** Traces that are related to this scope; it does not belong to them. */
  readonly links?: readonly TraceContext[]
  /** Added to every log line of the scope. */
  readonly fields?: TelemetryFields
  /** An HTTP response follows: sinks get the scope, with its status, once it has ended and `responded` was called. */
  readonly hasResponse?: true
}

/**
 * How a scope or a span ended: `completed`; `refused` with an error code; `failed` by a defect, a vendor or a store;
 * `disconnected` because the client left; `left` to another owner or reader.
 */
export type Outcome = 'completed' | 'refused' | 'failed' | 'disconnected' | 'left'

/** Reports through a scope carry its ids to the sinks: as fields of log lines, never as labels of metrics. */
export interface Scope extends Reports {
  /** The trace context that others link to; undefined when no trace is recorded. */
  readonly trace: TraceContext | undefined
  /** The turn takes over: from now on only the returned scope can end, and the door's own `end` does nothing. */
  becomeTurn(turnId: string): Scope
  span(name: SpanName, attributes?: SpanFields): Span
  /** Runs `work`, and everything that it begins, with this scope as the current span. */
  within<Value>(work: () => Value): Value
  /** Something happened at a moment of the scope; ignored once it has ended. */
  event<Name extends SpanEventName>(name: Name, fields?: SpanEventFields<Name>): void
  /** Relates the scope to a trace that was not known when it began. */
  link(trace: TraceContext): void
  /** The first end counts. */
  end(outcome: Outcome, attributes?: SpanFields): void
  /** The response is over; `status` is undefined when none was sent. Also of a scope that a turn has taken over. */
  responded(status: number | undefined): void
}

/** With `using`, a span whose stage throws ends as `failed`. */
export interface Span extends Disposable {
  /** What a call to another system names as its parent; undefined when no spans are recorded. */
  readonly trace: TraceContext | undefined
  /** A child of this span. */
  span(name: SpanName, attributes?: SpanFields): Span
  /** Runs `work`, and everything that it begins, with this span as the current one. */
  within<Value>(work: () => Value): Value
  /** Something happened at a moment of the span; ignored once it has ended. */
  event<Name extends SpanEventName>(name: Name, fields?: SpanEventFields<Name>): void
  /** Default: `completed`. The first end counts. */
  end(outcome?: Outcome, attributes?: SpanFields, content?: SpanContent): void
}

/** The words of a call of a model, which are personal data: only a setting of the shop lets them into a span. */
export interface SpanContent {
  readonly system: string
  readonly input: readonly { readonly role: string; readonly text: string }[]
  readonly output: string
}

/**
 * The ids of a scope, which sinks get with every report through it. `turnId` may be set later, so a sink must copy the ids
 * that it stores.
 */
export interface ScopeIds {
  readonly requestId: string | undefined
  readonly turnId: string | undefined
  readonly trace: TraceContext
  readonly fields: TelemetryFields | undefined
}

interface Reported {
  readonly fields: TelemetryFields | undefined
  /** Undefined for reports of the process itself. */
  readonly within: ScopeIds | undefined
}

export interface LogLine extends Reported {
  readonly level: LogLevel
  readonly event: string
  readonly cause: unknown
}

export interface Counted extends Reported {
  readonly name: string
  /** Absent: one. */
  readonly by?: number
}

export interface Observed extends Reported {
  readonly name: string
  readonly value: number
}

/** `at` is in milliseconds since the epoch. */
export interface SpanEvent {
  readonly name: SpanEventName
  readonly at: number
  readonly attributes: TelemetryFields
}

/** A scope or a span that has ended, with the fields that OpenTelemetry needs. */
export interface EndedSpan {
  readonly kind: 'scope' | 'span'
  /** A row of `spanNames`, or for a scope its door and name, such as `ws chat`. */
  readonly name: string
  /** `spanId` is its own. */
  readonly trace: TraceContext
  readonly parentSpanId: string | undefined
  /** The span id of its scope; a scope's is its own. Several scopes of one caller can have the same trace. */
  readonly scopeSpanId: string
  readonly links: readonly TraceContext[]
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: Outcome
  readonly attributes: TelemetryFields
  readonly events: readonly SpanEvent[]
  /** Events and links past their bound. */
  readonly eventsDropped: number
  /** Personal data, and no attribute: a sink that writes logs must not write it. */
  readonly content?: SpanContent
}

/**
 * Where telemetry goes: a log, metrics, an exporter. It must return at once and be bounded; errors that it throws are
 * ignored.
 */
export interface TelemetrySink {
  /** Spans are only made when a sink wants them. */
  readonly wantsSpans: boolean
  log(line: LogLine): void
  count(counted: Counted): void
  observe(observed: Observed): void
  /** A scope or a span has ended. */
  spanEnded(span: EndedSpan): void
}
