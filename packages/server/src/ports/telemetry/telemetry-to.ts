// Telemetry that several sinks listen to. It makes the scopes: their ids, which handle may end them, and their spans. A sink
// that throws harms neither the program nor the other sinks.
import type { LogLevel } from '#domain/telemetry/entry.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { SpanEventName, SpanName } from '#domain/telemetry/span-names.ts'
import { NO_SPAN_ID } from '#domain/telemetry/trace-context.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import type { Clock } from '../clock/port.ts'
import type { Random } from '../random/port.ts'
import { NO_SPAN } from './plain-scope.ts'
import { EventList, StoreCallCount } from './span-bounds.ts'
import type {
  AnyReports,
  CurrentSpan,
  EndedSpan,
  Outcome,
  Scope,
  ScopeIds,
  ScopeOpening,
  Span,
  SpanContent,
  Telemetry,
  TelemetryFields,
  TelemetrySink,
} from './port.ts'

export interface TelemetryParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
  readonly sinks: readonly TelemetrySink[]
  /** Where the current span is kept. Called once, and only where a sink wants spans. Default: there is no current span. */
  readonly context?: () => AsyncContext<ParentSpan>
}

/** A value that whatever `work` begins finds again, across its awaits, timers and callbacks. */
export interface AsyncContext<Held> {
  run<Value>(held: Held, work: () => Value): Value
  held(): Held | undefined
}

interface ParentSpan extends CurrentSpan {
  readonly isOver: boolean
}

const TRACE_BYTES = 16
const SPAN_BYTES = 8
const TRACE_DIGITS = 2 * TRACE_BYTES
const NO_LINKS: readonly TraceContext[] = []
const NO_ATTRIBUTES: TelemetryFields = {}
const LINKS_PER_SCOPE_MAX = 8

export function telemetryTo(parts: TelemetryParts): Telemetry {
  const outlet = new Outlet(parts)
  const reports: AnyReports = {
    log: (level, event, fields, cause) => outlet.log(level, event, { fields, cause, within: undefined }),
    count: (name, fields, by) => outlet.count(name, by, { fields, within: undefined }),
    observe: (name, value, fields) => outlet.observe(name, value, { fields, within: undefined }),
  }
  return {
    ...reports,
    scope: (opening) => new SinkScope(new OpenScope(outlet, opening, newTrace(parts.random, opening.parent))),
    currentSpan: () => outlet.currentSpan(),
  }
}

/** The ids of a new span, in the caller's trace or in a new one, from one random draw. */
function newTrace(random: TelemetryParts['random'], parent: TraceContext | undefined): TraceContext {
  if (parent !== undefined) return { ...parent, spanId: random.hex(SPAN_BYTES) }
  const digits = random.hex(TRACE_BYTES + SPAN_BYTES)
  return { traceId: digits.slice(0, TRACE_DIGITS), spanId: digits.slice(TRACE_DIGITS), sampled: true }
}

/** All sinks as one. */
class Outlet {
  readonly wantsSpans: boolean
  readonly #parts: TelemetryParts
  readonly #context: AsyncContext<ParentSpan> | undefined

  constructor(parts: TelemetryParts) {
    this.#parts = parts
    this.wantsSpans = parts.sinks.some((sink) => sink.wantsSpans)
    this.#context = this.wantsSpans ? parts.context?.() : undefined
  }

  within<Value>(parent: ParentSpan, work: () => Value): Value {
    return this.#context === undefined ? work() : this.#context.run(parent, work)
  }

  /** Work that outlives its stage, such as the renewal of a lease, has no current span. */
  currentSpan(): CurrentSpan | undefined {
    const parent = this.#context?.held()
    return parent?.isOver === false ? parent : undefined
  }

  now(): number {
    return this.#parts.clock.now()
  }

  newSpanId(): string {
    return this.#parts.random.hex(SPAN_BYTES)
  }

  log(
    level: LogLevel,
    event: string,
    about: { fields: TelemetryFields | undefined; cause: unknown; within: ScopeIds | undefined },
  ): void {
    const line = { level, event, ...about }
    for (const sink of this.#parts.sinks) {
      try {
        sink.log(line)
      } catch {
        // Telemetry never harms what it reports about.
      }
    }
  }

  count(
    name: string,
    by: number | undefined,
    { fields, within }: { fields: TelemetryFields | undefined; within: ScopeIds | undefined },
  ): void {
    const counted = by === undefined ? { name, fields, within } : { name, by, fields, within }
    for (const sink of this.#parts.sinks) {
      try {
        sink.count(counted)
      } catch {
        // As above.
      }
    }
  }

  observe(
    name: string,
    value: number,
    { fields, within }: { fields: TelemetryFields | undefined; within: ScopeIds | undefined },
  ): void {
    const observed = { name, value, fields, within }
    for (const sink of this.#parts.sinks) {
      try {
        sink.observe(observed)
      } catch {
        // As above.
      }
    }
  }

  ended(span: EndedSpan): void {
    for (const sink of this.#parts.sinks) {
      if (!sink.wantsSpans) continue
      try {
        sink.spanEnded(span)
      } catch {
        // As above.
      }
    }
  }
}

/** The state that all handles of one scope share. */
class OpenScope implements ScopeIds {
  readonly outlet: Outlet
  readonly opening: ScopeOpening
  readonly trace: TraceContext
  readonly startedAt: number
  readonly #events = new EventList()
  readonly storeCalls = new StoreCallCount()
  #links: readonly TraceContext[]
  turnId: string | undefined
  /** The handle that may end it; undefined once it has ended. */
  holder: SinkScope | undefined
  /** What `end` made, while the response is awaited. */
  #unreported: EndedSpan | undefined
  #awaitsResponse: boolean
  #status: number | undefined

  constructor(outlet: Outlet, opening: ScopeOpening, trace: TraceContext) {
    this.outlet = outlet
    this.opening = opening
    this.trace = trace
    this.startedAt = outlet.wantsSpans ? outlet.now() : 0
    this.#links = opening.links ?? NO_LINKS
    this.turnId = opening.turnId
    this.#awaitsResponse = opening.hasResponse === true
  }

  get requestId(): string | undefined {
    return this.opening.requestId
  }

  get fields(): TelemetryFields | undefined {
    return this.opening.fields
  }

  event(name: SpanEventName, fields: TelemetryFields | undefined): void {
    if (this.outlet.wantsSpans && this.holder !== undefined) this.#events.add(name, this.outlet.now(), fields)
  }

  link(trace: TraceContext): void {
    if (!this.outlet.wantsSpans || this.holder === undefined) return
    if (this.#links.length >= LINKS_PER_SCOPE_MAX) this.#events.dropped += 1
    else this.#links = [...this.#links, trace]
  }

  end(outcome: Outcome, attributes: SpanFields | undefined): void {
    this.holder = undefined
    const { opening, outlet, startedAt, trace, turnId } = this
    if (!outlet.wantsSpans) return
    const { door, fields, name, parent, requestId } = opening
    this.#unreported = {
      kind: 'scope',
      name: `${door} ${name}`,
      trace,
      // A caller that names only the trace has no span.
      parentSpanId: parent?.spanId === NO_SPAN_ID ? undefined : parent?.spanId,
      scopeSpanId: trace.spanId,
      links: this.#links,
      startedAt,
      durationMs: outlet.now() - startedAt,
      outcome,
      attributes: { door, requestId, turnId, ...fields, ...this.storeCalls.fields, ...attributes },
      events: this.#events.all,
      eventsDropped: this.#events.dropped,
    }
    this.#report()
  }

  responded(status: number | undefined): void {
    this.#status = status
    this.#awaitsResponse = false
    this.#report()
  }

  /** Once: with the status, which a turn that ends before its response does not know. */
  #report(): void {
    const span = this.#unreported
    if (span === undefined || this.#awaitsResponse) return
    this.#unreported = undefined
    const status = this.#status
    this.outlet.ended(status === undefined ? span : { ...span, attributes: { ...span.attributes, status } })
  }

  /** For a turn whose request had already ended: a child of the same trace. */
  continued(): OpenScope {
    const { outlet, trace } = this
    const { hasResponse: _, ...opening } = this.opening
    return new OpenScope(outlet, { ...opening, parent: trace }, { ...trace, spanId: outlet.newSpanId() })
  }
}

class SinkScope implements Scope, ParentSpan {
  readonly #open: OpenScope

  constructor(open: OpenScope) {
    this.#open = open
    open.holder = this
  }

  get trace(): TraceContext {
    return this.#open.trace
  }

  log(level: LogLevel, event: string, fields?: TelemetryFields, cause?: unknown): void {
    this.#open.outlet.log(level, event, { fields, cause, within: this.#open })
  }

  count(name: string, fields?: TelemetryFields, by?: number): void {
    this.#open.outlet.count(name, by, { fields, within: this.#open })
  }

  observe(name: string, value: number, fields?: TelemetryFields): void {
    this.#open.outlet.observe(name, value, { fields, within: this.#open })
  }

  becomeTurn(turnId: string): Scope {
    const isOpen = this.#open.holder !== undefined
    const open = isOpen ? this.#open : this.#open.continued()
    this.#open.turnId = turnId
    open.turnId = turnId
    return new SinkScope(open)
  }

  span(name: SpanName, attributes?: SpanFields): Span {
    if (!this.#open.outlet.wantsSpans) return NO_SPAN
    return new SinkSpan(this.#open, { name, attributes, parentSpanId: this.#open.trace.spanId })
  }

  get isOver(): boolean {
    return this.#open.holder === undefined
  }

  within<Value>(work: () => Value): Value {
    return this.#open.outlet.within(this, work)
  }

  storeCall(attributes: SpanFields): Span {
    return this.#open.storeCalls.take() ? this.span('store-call', attributes) : NO_SPAN
  }

  event(name: SpanEventName, fields?: TelemetryFields): void {
    this.#open.event(name, fields)
  }

  link(trace: TraceContext): void {
    this.#open.link(trace)
  }

  end(outcome: Outcome, attributes?: SpanFields): void {
    if (this.#open.holder === this) this.#open.end(outcome, attributes)
  }

  responded(status: number | undefined): void {
    this.#open.responded(status)
  }
}

interface SpanOpening {
  readonly name: SpanName
  readonly attributes: SpanFields | undefined
  readonly parentSpanId: string
}

class SinkSpan implements Span, ParentSpan {
  readonly trace: TraceContext
  readonly #scope: OpenScope
  readonly #opening: SpanOpening
  readonly #startedAt: number
  readonly #events = new EventList()
  readonly #storeCalls = new StoreCallCount()
  #isEnded = false

  constructor(scope: OpenScope, opening: SpanOpening) {
    this.#scope = scope
    this.#opening = opening
    this.trace = { ...scope.trace, spanId: scope.outlet.newSpanId() }
    this.#startedAt = scope.outlet.now()
  }

  span(name: SpanName, attributes?: SpanFields): Span {
    return new SinkSpan(this.#scope, { name, attributes, parentSpanId: this.trace.spanId })
  }

  get isOver(): boolean {
    return this.#isEnded
  }

  within<Value>(work: () => Value): Value {
    return this.#scope.outlet.within(this, work)
  }

  storeCall(attributes: SpanFields): Span {
    return this.#storeCalls.take() ? this.span('store-call', attributes) : NO_SPAN
  }

  event(name: SpanEventName, fields?: TelemetryFields): void {
    if (!this.#isEnded) this.#events.add(name, this.#scope.outlet.now(), fields)
  }

  end(outcome: Outcome = 'completed', attributes: SpanFields = NO_ATTRIBUTES, content?: SpanContent): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { outlet, requestId, trace, turnId } = this.#scope
    const { name, parentSpanId } = this.#opening
    outlet.ended({
      kind: 'span',
      name,
      trace: this.trace,
      parentSpanId,
      scopeSpanId: trace.spanId,
      links: NO_LINKS,
      startedAt: this.#startedAt,
      durationMs: outlet.now() - this.#startedAt,
      outcome,
      attributes: { requestId, turnId, ...this.#opening.attributes, ...this.#storeCalls.fields, ...attributes },
      events: this.#events.all,
      eventsDropped: this.#events.dropped,
      ...(content === undefined ? {} : { content }),
    })
  }

  [Symbol.dispose](): void {
    this.end('failed')
  }
}
