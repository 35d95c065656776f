// The operators' API for what lets calls through to models and other dependencies: how each lane is, forcing, resetting and disabling one, and
// maintenance. Looking never takes a probe.
import { EnvelopeMetadata, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import type { App } from '#app/app.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { AuditLine, LaneAction, LaneParams, LaneView, Maintenance, MaintenanceChange } from './schemas.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'

export function adminLaneRoutes(api: Routes, { app, clock }: HttpParts): void {
  const answer = <Data>(data: Data) => ({
    success: true as const,
    data,
    metadata: { timestamp: isoTime(clock.now()) },
  })

  api.get(
    '/api/admin/lanes',
    {
      schema: {
        operationId: 'adminListLanes',
        summary: 'How every lane is at this moment: of each model, and of search, catalogue, sessions and Redis',
        response: described(Type.Array(LaneView)),
      },
      config: { admin: true },
    },
    async () => answer((await app.admin.lanes()).map(viewOf)),
  )

  api.post(
    '/api/admin/lanes/:lane',
    {
      schema: {
        operationId: 'adminOperateLane',
        summary: 'Force a lane open, reset it, or take its circuit and limit away',
        description:
          'For the lane of a model it takes effect on every node within a second; for one of `scope` `node` on the node that ' +
          'was asked, until it is restarted. Redis can be operated only where it is used: else INVALID_REQUEST.',
        params: LaneParams,
        body: LaneAction,
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async ({ admin, body, params }) =>
      answer(await app.admin.operateLane(params.lane, body.action, { by: admin.name, reason: body.reason })),
  )

  api.get(
    '/api/admin/maintenance',
    {
      schema: {
        operationId: 'adminGetMaintenance',
        summary: 'Who switched maintenance on, and when; null while the service is open',
        response: described(Maintenance),
      },
      config: { admin: true },
    },
    async () => answer(marked(app.admin.maintenance())),
  )

  api.post(
    '/api/admin/maintenance',
    {
      schema: {
        operationId: 'adminSetMaintenance',
        summary: 'Refuse new questions, or take them again',
        description: 'Answers that are under way go on. It counts on every node within a second.',
        body: MaintenanceChange,
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, body }) => answer(await app.admin.setMaintenance(body.on, { by: admin.name, reason: body.reason })),
  )
}

const described = <Data extends Type.TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

function viewOf({ opensAt, operator, ...view }: Awaited<ReturnType<App['admin']['lanes']>>[number]) {
  return {
    ...view,
    models: [...view.models],
    opensAt: opensAt === null ? null : isoTime(opensAt),
    operator: marked(operator),
  }
}

function marked<Mark extends { readonly at: number }>(mark: Mark | null) {
  return mark === null ? null : { ...mark, at: isoTime(mark.at) }
}
