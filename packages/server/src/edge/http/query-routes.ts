// The caller's own data apart from turns: conversations, limits and use.
import { Id, QuotaView, SessionDetail, SessionSummary } from '@mangaassist/protocol'
import Type from 'typebox'
import { TURNS_SHOWN_MAX } from '#services/sessions.ts'
import { answers, answersInPages, envelopes } from './envelope.ts'
import { rateLimitHeaders } from './refuse.ts'
import type { HttpParts, RouteDescription, Routes } from './route-parts.ts'

const SessionParams = Type.Object({ sessionId: Id })
const MINUTE_MS = 60_000

const listSessions = {
  schema: {
    operationId: 'listSessions',
    summary: 'The caller’s conversations, newest activity first',
    description: 'One page. If `metadata.next` is present, pass it as `after` for the next page.',
    querystring: Type.Object({ after: Type.Optional(Id) }),
    response: answersInPages(Type.Array(SessionSummary)),
  },
  config: { errors: ['NOT_FOUND'] },
} satisfies RouteDescription

const getSession = {
  schema: {
    operationId: 'getSession',
    summary: 'One conversation with its turns',
    description:
      'A page of its turns, oldest first: the newest, or with `before` those before a turn. While `earlier` is present, pass it as `before` for the page before. Products have their current price and stock. `runningTurn` is present while an answer runs: resume it with `GET /api/turns/{turnId}/events`.',
    params: SessionParams,
    querystring: Type.Object({
      before: Type.Optional(Id),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: TURNS_SHOWN_MAX, default: TURNS_SHOWN_MAX })),
    }),
    response: answers(SessionDetail),
  },
  config: { errors: ['NOT_FOUND', 'SESSION_EXPIRED'] },
} satisfies RouteDescription

const removeSession = {
  schema: {
    operationId: 'removeSession',
    summary: 'Delete a conversation',
    params: SessionParams,
    response: answers(SessionParams),
  },
  config: { errors: ['NOT_FOUND'] },
} satisfies RouteDescription

const getQuota = {
  schema: { operationId: 'getQuota', summary: 'Limits and use', response: answers(QuotaView) },
  config: { limited: true },
} satisfies RouteDescription

export function queryRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/sessions', listSessions, async (request) => {
    const { next, sessions } = await app.sessions(request.principal, request.query.after)
    return page([...sessions], next)
  })

  api.get('/api/sessions/:sessionId', getSession, async (request) =>
    success(await app.session(request.principal, request.params.sessionId, request.query)),
  )

  api.delete('/api/sessions/:sessionId', removeSession, async (request) => {
    await app.removeSession(request.principal, request.params.sessionId)
    return success({ sessionId: request.params.sessionId })
  })

  api.get('/api/quota', getQuota, async (request, reply) => {
    const quota = await app.quota(request.principal)
    // One minute after the last request its whole window is free again.
    reply.headers(
      rateLimitHeaders({ ...quota.requestsPerMinute, resetMs: quota.requestsPerMinute.used === 0 ? 0 : MINUTE_MS }),
    )
    return success(quota)
  })
}
