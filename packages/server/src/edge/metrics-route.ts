// The figures of this process for Prometheus. They are counts by kinds of things: nobody can be known from them.
import type { HttpParts, Routes } from './route-parts.ts'

export function metricsRoute(http: Routes, { metrics }: HttpParts): void {
  http.get('/metrics', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8').send(metrics()),
  )
}
