// Telemetry as JSON lines for operators, on stderr by default so that stdout stays a command's own.
// Counts and distributions are lines of level debug; their figures are kept by `metrics.ts`.
import { pino } from 'pino'
import type { DestinationStream } from 'pino'
import type { TelemetrySink } from '#ports/telemetry/port.ts'

const STDERR = 2

export interface PinoTelemetryOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly destination?: DestinationStream
}

export function pinoTelemetry(options: PinoTelemetryOptions): TelemetrySink {
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
  // Said thousands of times a second, and mostly written nowhere.
  const writesFigures = logger.isLevelEnabled('debug')
  return {
    log(level, event, fields, cause) {
      logger[level]({ ...fields, ...(cause === undefined ? {} : { error: asError(cause) }) }, event)
    },
    count(name, fields) {
      if (writesFigures) logger.debug({ ...fields, count: 1 }, name)
    },
    observe(name, value, fields) {
      if (writesFigures) logger.debug({ ...fields, value }, name)
    },
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
