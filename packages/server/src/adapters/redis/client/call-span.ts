// What the span of a call of Redis says: its command or script. No keys and no arguments: they contain ids of shoppers.
import { ErrorReply } from '@redis/client'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { Script } from './script.ts'

/** A script, or the name of a command. */
export type Asked = Script | string

const ERROR_PREFIX = /^[A-Z]+\b/

export const askedName = (asked: Asked): string => (typeof asked === 'string' ? asked : asked.name)

export function redisCallFields(asked: Asked): SpanFields {
  return typeof asked === 'string' ? { dbOperation: asked } : { dbOperation: 'EVALSHA', dbScript: asked.name }
}

export function redisFailureFields(error: unknown): SpanFields {
  if (!(error instanceof ErrorReply)) return { errorClass: 'connection' }
  // Only the prefix: the rest of the message may name a key.
  const [prefix = 'ERR'] = ERROR_PREFIX.exec(error.message) ?? []
  return { dbStatus: prefix, errorClass: prefix }
}
