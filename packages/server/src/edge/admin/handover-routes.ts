// The admin API for requests for a person: the inbox, taking a request and closing it.
import { AuditLine, HandoverEntry, HandoverParams, HandoversQuery, ReasonRequest } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const LIMIT_DEFAULT = 100

const listHandovers = {
  schema: {
    operationId: 'adminListHandovers',
    summary: 'Requests of shoppers for a person, newest first, all or of one state',
    description:
      'With what the shopper gave: e-mail address, order number, note. The conversation is read with `GET /api/admin/conversations/{sessionId}`.',
    querystring: HandoversQuery,
    response: answersInPages(Type.Array(HandoverEntry)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const change = {
  params: HandoverParams,
  body: ReasonRequest,
  response: answers(AuditLine),
}

const takeHandover = {
  schema: {
    operationId: 'adminTakeHandover',
    summary: 'Take an open request: the shopper sees that it is taken',
    ...change,
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const closeHandover = {
  schema: {
    operationId: 'adminCloseHandover',
    summary: 'Close a request; the shopper may ask again',
    ...change,
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminHandoverRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/admin/handovers', listHandovers, async ({ query }) => {
    const { after, limit = LIMIT_DEFAULT, state } = query
    const found = await app.admin.handovers({ limit, after, state })
    return page([...found], found.length === limit ? found.at(-1)?.handoverId : undefined)
  })

  api.post('/api/admin/handovers/:handoverId/take', takeHandover, async ({ admin, body, params }) =>
    success(await app.admin.takeHandover(params.handoverId, authorOf(admin, body.reason))),
  )

  api.post('/api/admin/handovers/:handoverId/close', closeHandover, async ({ admin, body, params }) =>
    success(await app.admin.closeHandover(params.handoverId, authorOf(admin, body.reason))),
  )
}
