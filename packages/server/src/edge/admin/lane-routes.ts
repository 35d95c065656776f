// The admin API for lanes of models and other dependencies: the state of each; forcing, resetting and disabling one;
// maintenance. Reading never takes a probe.
import {
  AuditLine,
  LaneAction,
  LaneParams,
  LaneView,
  Maintenance,
  MaintenanceChange,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { App } from '#app/app.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { rejectedView } from '#services/lanes.ts'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const listLanes = {
  schema: {
    operationId: 'adminListLanes',
    summary: 'The current state of every lane: of the models, and of search, catalogue, sessions and Redis',
    response: answers(Type.Array(LaneView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const operateLane = {
  schema: {
    operationId: 'adminOperateLane',
    summary: 'Force a lane open, reset it, or disable its circuit and limit',
    description:
      'For the lane of a model it takes effect on every node within a second; for one of `scope` `node` on the node that ' +
      'was asked, until it is restarted. Redis can be operated only where it is used: else INVALID_REQUEST.',
    params: LaneParams,
    body: LaneAction,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const getMaintenance = {
  schema: {
    operationId: 'adminGetMaintenance',
    summary: 'Who switched maintenance on, and when; null while the service is open',
    response: answers(Maintenance),
  },
  config: { admin: true },
} satisfies RouteDescription

const setMaintenance = {
  schema: {
    operationId: 'adminSetMaintenance',
    summary: 'Switch maintenance on or off',
    description: 'New questions are refused, and running answers continue. Takes effect on every node within a second.',
    body: MaintenanceChange,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminLaneRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/lanes', listLanes, async () => success((await app.admin.lanes()).map(viewOf)))

  api.post('/api/admin/lanes/:lane', operateLane, async ({ admin, body, params }) =>
    success(await app.admin.operateLane(params.lane, body.action, authorOf(admin, body.reason))),
  )

  api.get('/api/admin/maintenance', getMaintenance, async () => success(marked(app.admin.maintenance())))

  api.post('/api/admin/maintenance', setMaintenance, async ({ admin, body }) =>
    success(await app.admin.setMaintenance(body.on, authorOf(admin, body.reason))),
  )
}

function viewOf({ opensAt, operator, rejected, ...view }: Awaited<ReturnType<App['admin']['lanes']>>[number]) {
  return {
    ...view,
    models: [...view.models],
    rejected: rejected.map(rejectedView),
    opensAt: opensAt === null ? null : isoTime(opensAt),
    operator: marked(operator),
  }
}

function marked<Mark extends { readonly at: number }>(mark: Mark | null) {
  return mark === null ? null : { ...mark, at: isoTime(mark.at) }
}
