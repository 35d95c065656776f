// Telemetry as JSON lines for operators, on stderr by default so that stdout stays a command's own.
// Counts are lines of level debug until a metrics exporter stands behind the port.
import { pino } from 'pino'
import type { DestinationStream } from 'pino'
import type { Telemetry } from '#ports/telemetry.ts'

const STDERR = 2

export interface PinoTelemetryOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly destination?: DestinationStream
}

export function pinoTelemetry(options: PinoTelemetryOptions): Telemetry {
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
  return {
    log(level, event, fields, cause) {
      logger[level]({ ...fields, ...(cause === undefined ? {} : { error: asError(cause) }) }, event)
    },
    count(name, fields) {
      logger.debug({ ...fields, count: 1 }, name)
    },
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
