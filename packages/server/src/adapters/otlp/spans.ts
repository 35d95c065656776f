// Our ended spans as OpenTelemetry's: a scope is a server span named by its route, an attempt a client span by the GenAI
// conventions, a call of a store one by those of databases, a stage an internal one.
import { createTraceState, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { Attributes, SpanContext } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { CHAT, GEN_AI, GEN_AI_CONVENTIONS, providerNameOf, STABLE } from '#domain/telemetry/gen-ai-names.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import type { EndedSpan, SpanContent, TelemetryFields } from '#ports/telemetry/port.ts'
import { attributesOf, hrTime } from './attributes.ts'

export interface SpanParts {
  readonly resource: Resource
  readonly version: string
  /** Longer prompts and answers are cut. */
  readonly messageLengthMax: number
}

/** The prompts of the assistant, `bookseller.ja.md` and `bookseller.en.md`, have one version. */
const PROMPT = 'bookseller'
const OUTCOME = 'mangaassist.outcome'
/** Doors whose scopes are named by method and route. */
const HTTP_DOORS = new Set(['http', 'sse', 'v1', 'admin'])
const OWN_DOORS = new Set(['takeover', 'deferred'])
/** Our stop reasons, as the conventions call them. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  end: 'stop',
  blocked: 'content_filter',
  'tool-use': 'tool_call',
}

export function spanReader({ messageLengthMax, resource, version }: SpanParts): (span: EndedSpan) => ReadableSpan {
  const instrumentationScope: InstrumentationScope = { name: 'mangaassist', version }
  const ofCalls: InstrumentationScope = { ...instrumentationScope, schemaUrl: GEN_AI_CONVENTIONS.schemaUrl }
  return (span) => {
    const isCall = span.name === 'attempt'
    const { eventsDropped, events, links, outcome, parentSpanId, startedAt, trace } = span
    const shape = shapeOf(span, messageLengthMax)
    const context = contextOf(trace)
    const parent = parentSpanId === undefined ? undefined : contextOf({ ...trace, spanId: parentSpanId })
    return {
      ...shape,
      attributes: { ...shape.attributes, [OUTCOME]: outcome },
      spanContext: () => context,
      ...(parent === undefined ? {} : { parentSpanContext: { ...parent, isRemote: span.kind === 'scope' } }),
      startTime: hrTime(startedAt),
      endTime: hrTime(startedAt + span.durationMs),
      duration: hrTime(span.durationMs),
      ended: true,
      status: statusOf(span),
      links: links.map((link) => ({ context: contextOf(link) })),
      events: events.map(({ at, attributes, name }) => ({
        name,
        time: hrTime(at),
        attributes: attributesOf(attributes),
      })),
      resource,
      instrumentationScope: isCall ? ofCalls : instrumentationScope,
      droppedAttributesCount: 0,
      droppedEventsCount: eventsDropped,
      droppedLinksCount: 0,
    }
  }
}

type Shape = Pick<ReadableSpan, 'name' | 'kind' | 'attributes'>

function shapeOf(span: EndedSpan, lengthMax: number): Shape {
  if (span.kind === 'scope') return scopeShape(span)
  if (span.name === 'attempt') return callShape(span, lengthMax)
  return span.name === 'store-call' ? storeCallShape(span) : stageShape(span)
}

function stageShape({ attributes, name }: EndedSpan): Shape {
  return { name, kind: SpanKind.INTERNAL, attributes: attributesOf(attributes) }
}

function scopeShape({ attributes: fields, name }: EndedSpan): Shape {
  const door = String(fields['door'])
  const attributes = attributesOf(fields)
  const kind = OWN_DOORS.has(door) ? SpanKind.INTERNAL : SpanKind.SERVER
  if (!HTTP_DOORS.has(door)) return { name, kind, attributes }
  const [, method = '', route = ''] = name.split(' ')
  const http = { [STABLE.httpMethod]: method, [STABLE.httpRoute]: route }
  return { name: `${method} ${route}`, kind, attributes: { ...attributes, ...http } }
}

/** The number of a database of Redis is no name. */
function storeCallShape({ attributes: fields }: EndedSpan): Shape {
  const { dbCollection, dbNamespace, dbOperation, dbScript, dbSystem } = fields
  const target = dbCollection ?? dbScript ?? (dbSystem === 'redis' ? undefined : dbNamespace)
  return {
    name: target === undefined ? String(dbOperation) : `${dbOperation} ${target}`,
    kind: SpanKind.CLIENT,
    attributes: { ...attributesOf(fields), ...serverOf(fields) },
  }
}

function callShape({ attributes: fields, content }: EndedSpan, lengthMax: number): Shape {
  const { provider, stopReason } = fields
  const finish = stopReason === undefined ? undefined : (FINISH_REASONS[String(stopReason)] ?? String(stopReason))
  const attributes: Attributes = {
    ...attributesOf(fields, true),
    [GEN_AI.operationName]: CHAT,
    [GEN_AI.stream]: true,
    ...(fields['promptVersion'] === undefined ? {} : { [GEN_AI.promptName]: PROMPT }),
    ...(provider === undefined ? {} : { [GEN_AI.providerName]: providerNameOf(String(provider)) }),
    ...(finish === undefined ? {} : { [GEN_AI.finishReasons]: [finish] }),
    ...serverOf(fields, HTTPS_PORT),
    ...(content === undefined ? {} : wordsOf(content, finish, lengthMax)),
  }
  const kind = fields['tier'] === 'embedded' ? SpanKind.INTERNAL : SpanKind.CLIENT
  return { name: `${CHAT} ${fields['modelId']}`, kind, attributes }
}

const HTTPS_PORT = 443

/** A store has a port where that is not the usual one. */
function serverOf({ serverAddress: host }: TelemetryFields, usualPort?: number): Attributes {
  if (typeof host !== 'string') return {}
  const [, name = host, named] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  const port = named === undefined ? usualPort : Number(named)
  return { [STABLE.serverAddress]: name, ...(port === undefined ? {} : { [STABLE.serverPort]: port }) }
}

/** By the JSON schemas of the conventions, as strings: attributes of spans cannot be nested. */
function wordsOf({ input, output, system }: SpanContent, finish: string | undefined, lengthMax: number): Attributes {
  const text = (content: string) => ({ type: 'text', content: content.slice(0, lengthMax) })
  return {
    [GEN_AI.systemInstructions]: JSON.stringify([text(system)]),
    [GEN_AI.inputMessages]: JSON.stringify(
      input.map((message) => ({ role: message.role, parts: [text(message.text)] })),
    ),
    [GEN_AI.outputMessages]: JSON.stringify([{ role: 'assistant', parts: [text(output)], finish_reason: finish }]),
  }
}

function statusOf({ attributes, outcome }: EndedSpan): ReadableSpan['status'] {
  if (outcome !== 'failed') return { code: SpanStatusCode.UNSET }
  const { code, errorClass, reason } = attributes
  const message = errorClass ?? code ?? reason
  return { code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message: String(message) }) }
}

/** Exported spans were sampled by us, so the flag is set whatever the caller's flag was. */
function contextOf({ spanId, state, traceId }: TraceContext): SpanContext {
  const traceState = state === undefined ? {} : { traceState: createTraceState(state) }
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, ...traceState }
}
