// The ledger for operators: sums by group, single rows, and users whose spending exceeds the alarm.
import {
  SpendersQuery,
  SpendersView,
  UsageQuery,
  UsageRow,
  UsageRowsQuery,
  UsageView,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 100

const usage = {
  schema: {
    operationId: 'adminUsage',
    summary: 'Usage by day, user, conversation, model, tier or outcome',
    description:
      'Sums of the ledger in the order of their keys. All filters apply; `from` and `to` are inclusive. `totals` is on the first page only.',
    querystring: UsageQuery,
    response: answersInPages(UsageView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const usageRows = {
  schema: {
    operationId: 'adminUsageRows',
    summary: 'The rows of the ledger, by day and time',
    description: 'With `turn`, all rows of that turn, and no other filter applies.',
    querystring: UsageRowsQuery,
    response: answersInPages(Type.Array(UsageRow)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const spenders = {
  schema: {
    operationId: 'adminSpenders',
    summary: 'The users whose spending of a day exceeds the alarm',
    querystring: SpendersQuery,
    response: answersInPages(SpendersView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminUsageRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page } = envelopes(clock)

  api.get('/api/admin/usage', usage, async ({ query }) => {
    const by = [...new Set((query.by ?? 'day').split(','))] as LedgerPart[]
    const { groups, next, ...totals } = await app.admin.usage(filterOf(query), by, pageOf(query))
    return page({ groups: [...groups], ...totals }, next)
  })

  api.get('/api/admin/usage/rows', usageRows, async ({ query }) => {
    if (query.turn !== undefined) return page([...(await app.admin.usageOfTurn(query.turn))], undefined)
    const { next, rows } = await app.admin.usageRows(filterOf(query), pageOf(query))
    return page([...rows], next)
  })

  api.get('/api/admin/spenders', spenders, async ({ query }) => {
    const { next, users, ...of } = await app.admin.spenders(query.day, pageOf(query))
    return page({ ...of, users: [...users] }, next)
  })
}

function pageOf({ after, limit = LIMIT_DEFAULT }: { readonly after?: string; readonly limit?: number }) {
  return { limit, ...(after === undefined ? {} : { after }) }
}

function filterOf(query: UsageRowsQuery): LedgerFilter {
  const { user: principalId, session: sessionId, model, tier, outcome, day, from, to } = query
  const given = { principalId, sessionId, model, tier, outcome, day, from, to }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
