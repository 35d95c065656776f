// `Idempotency-Attempt`: the caller's count of how often it sent this request. The WebSocket has a field for it.
import type { FastifyRequest } from 'fastify'
import { invalid } from './problem.ts'

export function attemptIn({ headers }: Pick<FastifyRequest, 'headers'>): { readonly attempt?: number } {
  const header = headers['idempotency-attempt']
  if (header === undefined) return {}
  if (typeof header !== 'string' || !/^[1-9][0-9]{0,5}$/.test(header))
    throw invalid('Idempotency-Attempt', 'must be a whole number from 1')
  return { attempt: Number(header) }
}
