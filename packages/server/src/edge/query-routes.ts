// What is not a turn: own conversations, limits and use, and the shelves.
import {
  EnvelopeMetadata,
  Id,
  ProductCard,
  QuotaView,
  SessionDetail,
  SessionSummary,
  successEnvelope,
} from '@mangaassist/protocol'
import Type from 'typebox'
import { isoTime } from '#lib/iso-time.ts'
import { rateLimitHeaders } from './refuse.ts'
import type { HttpParts, Routes } from './route-parts.ts'

const SessionParams = Type.Object({ sessionId: Id })
const ProductQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 500, description: 'What to look for, in Japanese or English' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
})
const PRODUCTS_DEFAULT = 10
const MINUTE_MS = 60_000

export function queryRoutes(api: Routes, { app, clock }: HttpParts): void {
  const success = <Data>(data: Data) => ({
    success: true as const,
    data,
    metadata: { timestamp: isoTime(clock.now()) },
  })
  const described = <Data extends Type.TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

  api.get(
    '/api/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'Own conversations, newest activity first',
        response: described(Type.Array(SessionSummary)),
      },
    },
    async (request) => success([...(await app.sessions(request.principal))]),
  )

  api.get(
    '/api/sessions/:sessionId',
    {
      schema: {
        operationId: 'getSession',
        summary: 'One conversation with its turns',
        params: SessionParams,
        response: described(SessionDetail),
      },
      config: { errors: ['NOT_FOUND', 'SESSION_EXPIRED'] },
    },
    async (request) => success(await app.session(request.principal, request.params.sessionId)),
  )

  api.delete(
    '/api/sessions/:sessionId',
    {
      schema: {
        operationId: 'removeSession',
        summary: 'Forget a conversation',
        params: SessionParams,
        response: described(SessionParams),
      },
      config: { errors: ['NOT_FOUND', 'SESSION_BUSY'] },
    },
    async (request) => {
      await app.removeSession(request.principal, request.params.sessionId)
      return success({ sessionId: request.params.sessionId })
    },
  )

  api.get(
    '/api/quota',
    {
      schema: { operationId: 'getQuota', summary: 'Limits and use', response: described(QuotaView) },
      config: { limited: true },
    },
    async (request, reply) => {
      const quota = await app.quota(request.principal)
      // A minute after the last request all of its window is free again.
      reply.headers(
        rateLimitHeaders({ ...quota.requestsPerMinute, resetMs: quota.requestsPerMinute.used === 0 ? 0 : MINUTE_MS }),
      )
      return success(quota)
    },
  )

  api.get(
    '/api/products',
    {
      schema: {
        operationId: 'searchProducts',
        summary: 'Search the shelves',
        querystring: ProductQuery,
        response: described(Type.Array(ProductCard)),
      },
      config: { errors: ['INVALID_REQUEST'] },
    },
    async (request, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const { limit = PRODUCTS_DEFAULT, q = '' } = request.query
      return success([...(await app.products(q, limit, gone.signal))])
    },
  )
}
