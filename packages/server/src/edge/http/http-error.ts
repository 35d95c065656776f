// Translates Fastify's own refusals (invalid JSON, too large, another type, invalid by its schema) to our error catalogue.
// Other errors pass unchanged.
import { Refusal } from '#domain/refusal.ts'
import { invalid, invalidBySchema } from './problem.ts'

interface FastifyShaped {
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly validation?: Parameters<typeof invalidBySchema>[0]
  readonly validationContext?: string
}

export function translateHttpError(error: unknown): unknown {
  if (error instanceof Refusal || typeof error !== 'object' || error === null) return error
  const { code, statusCode, validation, validationContext } = error as FastifyShaped
  if (validation !== undefined) return invalidBySchema(validation, validationContext ?? 'request')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return invalid('content-type', 'must be application/json')
  if (statusCode === 413) return new Refusal('PAYLOAD_TOO_LARGE', { cause: error })
  if (statusCode === 404) return new Refusal('NOT_FOUND', { cause: error })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return invalid('request', 'is malformed')
  return error
}
