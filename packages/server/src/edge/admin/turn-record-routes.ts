// Turn records for operators: the story of each ended turn and of refused requests, without any text of a conversation.
import { PagedMetadata, successEnvelope } from '@mangaassist/protocol'
import { TurnRecordsQuery, TurnRecordsView, TurnStoryView } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 100

const Metadata = Type.Object({
  ...PagedMetadata.properties,
  newest: Type.Optional(Type.String({ description: 'Pass it as `since` to get what is recorded from now on' })),
})

const turnRecords = {
  schema: {
    operationId: 'adminTurnRecords',
    summary: 'The records of ended turns and of refused requests, newest first',
    description:
      'Route, calls, cost, times, and how the answer was received. All filters apply together. A page may have fewer records than asked for, or none, and `next`: the list continues there.',
    querystring: TurnRecordsQuery,
    response: { 200: successEnvelope(TurnRecordsView, Metadata) },
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const turnStory = {
  schema: {
    operationId: 'adminTurn',
    summary: 'The whole story of one turn, by its id or that of its request',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) }),
    response: answers(TurnStoryView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminTurnRecordRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/admin/turn-records', turnRecords, async ({ query }) => {
    const { after, limit = LIMIT_DEFAULT } = query
    const asked = { limit, ...(after === undefined ? {} : { after }) }
    const { newest, next, records } = await app.admin.turnRecords(filterOf(query), asked)
    const { metadata, ...rest } = page([...records], next)
    return { ...rest, metadata: { ...metadata, ...(newest === undefined ? {} : { newest }) } }
  })

  api.get('/api/admin/turns/:id', turnStory, async ({ params }) => success(await app.admin.turnStory(params.id)))
}

function filterOf(query: TurnRecordsQuery): Parameters<HttpParts['app']['admin']['turnRecords']>[0] {
  const given = {
    recordId: query.turn,
    requestId: query.request,
    principalId: query.user,
    sessionId: query.session,
    kind: query.kind,
    door: query.door,
    model: query.model,
    tier: query.tier,
    reason: query.reason,
    outcome: query.outcome,
    isDegraded: query.degraded,
    costMicroUsdMin: query.minCostMicroUsd,
    costMicroUsdMax: query.maxCostMicroUsd,
    totalMsMin: query.minTotalMs,
    experiment: query.experiment,
    feedback: query.feedback,
    from: query.from,
    to: query.to,
    since: query.since,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
