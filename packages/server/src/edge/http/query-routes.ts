// What is one's own and not a turn: conversations, limits and use.
import { EnvelopeMetadata, Id, QuotaView, SessionDetail, SessionSummary, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import { PagedMetadata } from '../admin/schemas.ts'
import { rateLimitHeaders } from './refuse.ts'
import type { HttpParts, Routes } from './route-parts.ts'

const SessionParams = Type.Object({ sessionId: Id })
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
        description: 'A page of them. While `metadata.next` is there, ask again with it as `after`.',
        querystring: Type.Object({ after: Type.Optional(Id) }),
        response: { 200: successEnvelope(Type.Array(SessionSummary), PagedMetadata) },
      },
      config: { errors: ['NOT_FOUND'] },
    },
    async (request) => {
      const { next, sessions } = await app.sessions(request.principal, request.query.after)
      const { metadata, ...rest } = success([...sessions])
      return { ...rest, metadata: { ...metadata, ...(next === undefined ? {} : { next }) } }
    },
  )

  api.get(
    '/api/sessions/:sessionId',
    {
      schema: {
        operationId: 'getSession',
        summary: 'One conversation with its turns',
        description:
          'The newest 200 turns. Products are shown with the price and stock of now. `runningTurn` is there while an answer is being given: resume it with `GET /api/turns/{turnId}/events`.',
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
      config: { errors: ['NOT_FOUND'] },
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
}
