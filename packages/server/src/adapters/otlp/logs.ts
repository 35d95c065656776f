// Our log lines as OpenTelemetry's log records: the event is the name and the body, the fields are attributes, and a line of a
// scope belongs to its trace.
import { SeverityNumber, TraceFlags } from '@opentelemetry/api'
import type { Attributes } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { LogLevel } from '#domain/telemetry/entry.ts'
import { STABLE } from '#domain/telemetry/gen-ai-names.ts'
import type { LogLine } from '#ports/telemetry/port.ts'
import { attributesOf, hrTime } from './attributes.ts'

const SEVERITIES: Readonly<Record<LogLevel, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}
const ENVELOPE_BYTES = 256
const ATTRIBUTE_BYTES = 32
/** A stack trace of a deep recursion must not be longer than the rest of the batch. */
const STACK_LENGTH_MAX = 8192

export interface LogParts {
  readonly resource: Resource
  readonly version: string
}

/** `at`: when it was logged. */
export function logReader({ resource, version }: LogParts): (line: LogLine, at: number) => ReadableLogRecord {
  const instrumentationScope = { name: 'mangaassist', version }
  return ({ cause, event, fields = {}, level, within }, at) => {
    const { fields: own = {}, requestId, trace, turnId } = within ?? {}
    const time = hrTime(at)
    return {
      hrTime: time,
      hrTimeObserved: time,
      severityNumber: SEVERITIES[level],
      severityText: level,
      body: event,
      eventName: event,
      attributes: { ...attributesOf({ requestId, turnId, ...own, ...fields }), ...exceptionOf(cause) },
      ...(trace === undefined
        ? {}
        : { spanContext: { traceId: trace.traceId, spanId: trace.spanId, traceFlags: TraceFlags.SAMPLED } }),
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
    }
  }
}

/** An estimate, as for spans. */
export function logSize({ attributes, eventName = '' }: ReadableLogRecord): number {
  let size = ENVELOPE_BYTES + eventName.length
  for (const name in attributes) {
    const value = attributes[name]
    size += ATTRIBUTE_BYTES + (typeof value === 'string' ? value.length : 0)
  }
  return size
}

function exceptionOf(cause: unknown): Attributes {
  if (cause === undefined) return {}
  if (!(cause instanceof Error)) return { [STABLE.exceptionMessage]: typeof cause === 'string' ? cause : typeof cause }
  const { message, name, stack } = cause
  return {
    [STABLE.exceptionType]: name,
    [STABLE.exceptionMessage]: message.slice(0, STACK_LENGTH_MAX),
    ...(stack === undefined ? {} : { [STABLE.exceptionStack]: stack.slice(0, STACK_LENGTH_MAX) }),
  }
}
