// The admin API: identifies the operator and compares the role with the route's, then serves the routes for limits, blocks, usage, turn records, conversations, feedback, settings, lanes, models, nodes, stored data, the catalogue,
// experiments, the prewarm and alarms, each in a file of its own, and the audit. Every change has a reason.
import { AuditLine, AuditQuery } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answersInPages, envelopes } from '../http/envelope.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { adminAlarmRoutes } from './alarm-routes.ts'
import { adminBlockRoutes } from './block-routes.ts'
import { adminHandoverRoutes } from './handover-routes.ts'
import { adminCatalogueRoutes } from './catalogue-routes.ts'
import { adminConversationRoutes } from './conversation-routes.ts'
import { adminDataRoutes } from './data-routes.ts'
import { adminExperimentRoutes } from './experiment-routes.ts'
import { adminFeedbackRoutes } from './feedback-routes.ts'
import { adminLaneRoutes } from './lane-routes.ts'
import { adminPrewarmRoutes } from './prewarm-routes.ts'
import { adminTierRoutes, adminUserRoutes } from './limit-routes.ts'
import { adminModelRoutes } from './model-routes.ts'
import { adminNodeRoutes } from './node-routes.ts'
import { adminSearchRoutes } from './search-routes.ts'
import { adminSettingRoutes } from './setting-routes.ts'
import { createOperatorGuard } from '../operators/guard-operators.ts'
import { leastRoleOf } from '../operators/roles.ts'
import { adminSessionRoutes } from '../operators/session-routes.ts'
import { adminOverviewRoutes } from './overview-routes.ts'
import { adminTurnRecordRoutes } from './turn-record-routes.ts'
import { adminUsageRoutes } from './usage-routes.ts'

type AdminParts = Pick<
  HttpParts,
  'app' | 'clock' | 'config' | 'findNetwork' | 'identifyAdmin' | 'nameNetwork' | 'operators' | 'operatorSessions'
>

const AUDIT_DEFAULT = 100

export function adminRoutes(api: Routes, parts: AdminParts): void {
  const { app, clock } = parts
  const guard = createOperatorGuard({ ...parts, sessions: parts.operatorSessions, isSignedOut: app.admin.isSignedOut })
  api.decorateRequest('admin')
  api.decorateRequest('operatorSession')
  api.addHook('onRoute', (route) => {
    const [method = ''] = [route.method].flat()
    route.config = { ...route.config, role: leastRoleOf(method, route.url) }
  })
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    guard.check(request, reply)
  })
  // A misspelt filter would silently show what everyone has.
  api.addHook('preValidation', async ({ query, routeOptions }) => {
    const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { readonly properties?: object }
    const unknown = Object.keys(query as object).find((name) => !Object.hasOwn(properties, name))
    const known = Object.keys(properties).join(', ')
    if (unknown !== undefined) throw invalid(unknown, `is not known here${known === '' ? '' : `: ${known}`}`)
  })
  adminSessionRoutes(api, { ...parts, guard })
  adminTierRoutes(api, { app, clock })
  adminUserRoutes(api, { app, clock })
  adminBlockRoutes(api, parts)
  auditRoute(api, { app, clock })
  adminUsageRoutes(api, { app, clock })
  adminTurnRecordRoutes(api, { app, clock })
  adminSearchRoutes(api, { app, clock })
  adminConversationRoutes(api, { app, clock })
  adminFeedbackRoutes(api, { app, clock })
  adminSettingRoutes(api, { app, clock })
  adminLaneRoutes(api, { app, clock })
  adminModelRoutes(api, { app, clock })
  adminNodeRoutes(api, { app, clock })
  adminOverviewRoutes(api, { app, clock })
  adminDataRoutes(api, { app, clock })
  adminCatalogueRoutes(api, { app, clock })
  adminExperimentRoutes(api, { app, clock })
  adminPrewarmRoutes(api, { app, clock })
  adminAlarmRoutes(api, { app, clock })
  adminHandoverRoutes(api, { app, clock })
}

const audit = {
  schema: {
    operationId: 'adminAudit',
    summary: 'Every change, newest first: who, when, what, from what to what, and why',
    querystring: AuditQuery,
    response: answersInPages(Type.Array(AuditLine)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

function auditRoute(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page } = envelopes(clock)

  api.get('/api/admin/audit', audit, async ({ query }) => {
    const { after, limit = AUDIT_DEFAULT, subject } = query
    const below = after === undefined ? undefined : Number(after)
    if (below !== undefined && !Number.isSafeInteger(below))
      throw invalid('after', 'is not the `next` of a page before')
    const lines = await app.admin.audit({
      limit,
      ...(below === undefined ? {} : { below }),
      ...(subject === undefined ? {} : { subject }),
    })
    const last = lines.length === limit ? lines.at(-1) : undefined
    return page([...lines], last === undefined ? undefined : String(last.number))
  })
}
