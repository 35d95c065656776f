// The scope of an HTTP request: it begins before anything of the request is read and ends when the response is closed,
// unless a refusal has ended it or a turn has taken it over. It has the response's status in any case.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readTraceContext } from '#domain/telemetry/trace-context.ts'
import type { Outcome, ScopeDoor, Telemetry } from '#ports/telemetry/port.ts'
import { isOnV1 } from '../openai/error.ts'

export function beginRequestScope(telemetry: Telemetry, request: FastifyRequest, reply: FastifyReply): void {
  const scope = telemetry.scope({
    door: doorOf(request),
    name: `${request.method} ${routeOf(request)}`,
    requestId: request.id,
    parent: readTraceContext(request.headers),
    hasResponse: true,
  })
  request.scope = scope
  const response = reply.raw
  response.once('close', () => {
    const { headersSent, statusCode, writableFinished } = response
    scope.end(writableFinished ? outcomeOf(statusCode) : 'disconnected')
    scope.responded(headersSent ? statusCode : undefined)
  })
}

/** The route's pattern, not the URL: ids and search words are personal data. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown'
}

export function wantsEvents(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/event-stream') === true
}

export function doorOf(request: FastifyRequest): ScopeDoor {
  if (isOnV1(request.url)) return 'v1'
  const { admin, streams } = request.routeOptions.config
  if (admin === true) return 'admin'
  // A stream that is read by GET has no other form.
  return streams === true && (request.method === 'GET' || wantsEvents(request)) ? 'sse' : 'http'
}

function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'completed'
}
