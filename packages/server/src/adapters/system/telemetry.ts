// Telemetry as JSON lines for operators, on stderr by default, so that stdout has only the output of a command. At level
// debug counts, distributions and spans are lines too; `metrics.ts` stores the figures.
import { pino } from 'pino'
import type { DestinationStream } from 'pino'
import { isoTime } from '#lib/time/iso-time.ts'
import { foldLines } from './fold-lines.ts'
import type { EndedSpan, ScopeIds, TelemetrySink } from '#ports/telemetry/port.ts'

const STDERR = 2

export interface PinoSinkOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly destination?: DestinationStream
  readonly now: () => number
  /** For tests; default: timers of the machine that do not keep the process alive. */
  readonly after?: (ms: number, action: () => void) => Disposable
}

/** A sink that holds lines back; at the end of the process they have to be written. */
export interface LogSink extends TelemetrySink {
  /** From now on; spans are written only where the first level is debug. */
  readonly setLevel: (level: PinoSinkOptions['level']) => void
  flush(): void
}

export function pinoSink(options: PinoSinkOptions): LogSink {
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'event',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? pino.destination(STDERR),
  )
  // Reported thousands of times a second, and mostly not written.
  let writesFigures = logger.isLevelEnabled('debug')
  const lines = foldLines(options)
  return {
    wantsSpans: writesFigures,
    setLevel(level) {
      logger.level = level
      writesFigures = logger.isLevelEnabled('debug')
    },
    log({ level, event, fields, cause, within }) {
      if (!logger.isLevelEnabled(level)) return
      const error = cause === undefined ? {} : { error: asError(cause) }
      // The turn of a scope may become known later: a line that is held back has the ids of its own moment.
      const line = { ...idsOf(within), ...fields, ...error }
      lines.fold({ level, event, fields, cause: error.error }, ({ leftOut, at }) => {
        const held = at === undefined ? {} : { occurredAt: isoTime(at) }
        logger[level]({ ...line, ...(leftOut === 0 ? {} : { leftOut }), ...held }, event)
      })
    },
    flush: () => lines.flush(),
    count({ name, by = 1, fields, within }) {
      if (writesFigures) logger.debug({ ...idsOf(within), ...fields, count: by }, name)
    },
    observe({ name, value, fields, within }) {
      if (writesFigures) logger.debug({ ...idsOf(within), ...fields, value }, name)
    },
    spanEnded(span) {
      const { attributes, durationMs, name, outcome, parentSpanId, trace } = span
      const { spanId, traceId } = trace
      const ended = { traceId, spanId, parentSpanId, span: name, outcome, durationMs }
      logger.debug({ ...attributes, ...ended, ...relatedIn(span) }, 'span')
    },
  }
}

function relatedIn({ events, links, startedAt }: EndedSpan) {
  const happened = events.map(({ at, attributes, name }) => ({ name, atMs: at - startedAt, ...attributes }))
  return {
    ...(links.length === 0 ? {} : { links: links.map((link) => `${link.traceId}-${link.spanId}`) }),
    ...(events.length === 0 ? {} : { events: happened }),
  }
}

function idsOf(within: ScopeIds | undefined) {
  if (within === undefined) return undefined
  const { fields, requestId, trace, turnId } = within
  return { requestId, turnId, traceId: trace.traceId, ...fields }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
