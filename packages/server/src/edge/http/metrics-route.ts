// The metrics of this process for Prometheus. They identify no shopper, but say more about the models than the public
// should read.
import { Refusal } from '#domain/refusal.ts'
import type { HttpParts, Routes } from './route-parts.ts'

export function metricsRoute(
  http: Routes,
  { mayReadFigures, metrics }: Pick<HttpParts, 'mayReadFigures' | 'metrics'>,
): void {
  http.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (!mayReadFigures(request.raw)) throw new Refusal('UNAUTHENTICATED', { details: { reason: 'metrics-token' } })
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics())
    },
  })
}
