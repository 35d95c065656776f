// Turn records for operators: what is kept of each ended turn, without any text of a conversation.
import { TurnRecordsQuery, TurnRecordView } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 100

const turnRecords = {
  schema: {
    operationId: 'adminTurnRecords',
    summary: 'The records of ended turns, newest first',
    description:
      'Route, arms of experiments, model, cost, times, and how the answer was received. All filters apply; `from` and `to` are days of the shop, inclusive.',
    querystring: TurnRecordsQuery,
    response: answersInPages(Type.Array(TurnRecordView)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminTurnRecordRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page } = envelopes(clock)

  api.get('/api/admin/turn-records', turnRecords, async ({ query }) => {
    const {
      after,
      experiment,
      feedback,
      from,
      limit = LIMIT_DEFAULT,
      session: sessionId,
      to,
      user: principalId,
    } = query
    const given = { experiment, feedback, from, sessionId, to, principalId }
    const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const { next, records } = await app.admin.turnRecords(asked, { limit, ...(after === undefined ? {} : { after }) })
    return page([...records], next)
  })
}
