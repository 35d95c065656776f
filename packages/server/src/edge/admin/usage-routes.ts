// The books for operators: sums by what they ask for, single rows, and who spent more than the alarm allows.
import { successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import {
  GroupedBy,
  PagedMetadata,
  Paging,
  Spender,
  SpendersQuery,
  UsageFilter,
  UsageGroup,
  UsageRow,
  UsageTotals,
} from './schemas.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 100

export function adminUsageRoutes(api: Routes, { app, clock }: HttpParts): void {
  const answer = <Data>(data: Data, next: string | undefined) => ({
    success: true as const,
    data,
    metadata: { timestamp: isoTime(clock.now()), ...(next === undefined ? {} : { next }) },
  })

  api.get(
    '/api/admin/usage',
    {
      schema: {
        operationId: 'adminUsage',
        summary: 'What was used, by day, user, conversation, model, tier or outcome',
        description:
          'Sums of the ledger in the order of their keys. Every filter must hold; `from` and `to` are included. `totals` is there on the first page.',
        querystring: Type.Object({ by: Type.Optional(GroupedBy), ...UsageFilter, ...Paging }),
        response: {
          200: successEnvelope(
            Type.Object({ groups: Type.Array(UsageGroup), totals: Type.Optional(UsageTotals) }),
            PagedMetadata,
          ),
        },
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ query }) => {
      const by = [...new Set((query.by ?? 'day').split(','))] as LedgerPart[]
      const { groups, next, ...totals } = await app.admin.usage(filterOf(query), by, pageOf(query))
      return answer({ groups: [...groups], ...totals }, next)
    },
  )

  api.get(
    '/api/admin/usage/rows',
    {
      schema: {
        operationId: 'adminUsageRows',
        summary: 'The rows of the ledger, by day and time',
        querystring: Type.Object({ ...UsageFilter, ...Paging }),
        response: { 200: successEnvelope(Type.Array(UsageRow), PagedMetadata) },
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ query }) => {
      const { next, rows } = await app.admin.usageRows(filterOf(query), pageOf(query))
      return answer([...rows], next)
    },
  )

  api.get(
    '/api/admin/spenders',
    {
      schema: {
        operationId: 'adminSpenders',
        summary: 'The users who spent more in a day than the alarm allows',
        querystring: SpendersQuery,
        response: {
          200: successEnvelope(
            Type.Object({
              day: Type.String(),
              alarmMicroUsd: Type.Integer(),
              users: Type.Array(Spender),
            }),
            PagedMetadata,
          ),
        },
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ query }) => {
      const { next, users, ...page } = await app.admin.spenders(query.day, pageOf(query))
      return answer({ ...page, users: [...users] }, next)
    },
  )
}

function pageOf({ after, limit = LIMIT_DEFAULT }: { readonly after?: string; readonly limit?: number }) {
  return { limit, ...(after === undefined ? {} : { after }) }
}

function filterOf(query: {
  readonly [name in keyof typeof UsageFilter]?: string
}): LedgerFilter {
  const { user: principalId, session: sessionId, model, tier, outcome, day, from, to } = query
  const given = { principalId, sessionId, model, tier, outcome, day, from, to }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
