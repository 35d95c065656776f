// The ledger for operators: sums by group, single rows, and users whose spending exceeds the alarm.
import {
  ReconcileRequest,
  ReconcileView,
  SpendersQuery,
  SpendersView,
  UsageQuery,
  UsageRow,
  UsageRowsQuery,
  UsageView,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { answers, answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 100
const TOLERANCE_PERCENT = 2
const BILL_BYTES_MAX = 2 * 1024 * 1024

const usage = {
  schema: {
    operationId: 'adminUsage',
    summary: 'Usage by day, user, API key, conversation, model, tier, outcome or tag',
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

const reconcileBill = {
  schema: {
    operationId: 'adminReconcileBill',
    summary: 'Compare the bill of a provider with the ledger, by day and model',
    description:
      'The bill is CSV or JSON, as `mangaassist usage reconcile` takes it, of at most 100 days. Nothing is changed or stored.',
    body: ReconcileRequest,
    response: answers(ReconcileView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'] },
} satisfies RouteDescription

export function adminUsageRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

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

  api.post('/api/admin/usage/reconcile', { ...reconcileBill, bodyLimit: BILL_BYTES_MAX }, async ({ body }) => {
    const { bill, tolerancePercent = TOLERANCE_PERCENT, zone } = body
    const { agrees, comparisons } = await app.admin.reconcileBill({ bill, tolerance: tolerancePercent / 100, zone })
    return success({ agrees, comparisons: comparisons.map((one) => ({ ...one, figures: [...one.figures] })) })
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
  const { user: principalId, session: sessionId, model, tier, outcome, tag, day, from, to } = query
  const given = { principalId, sessionId, model, tier, outcome, tag, day, from, to }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
