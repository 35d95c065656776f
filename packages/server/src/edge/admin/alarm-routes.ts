// The admin API for alarms: which fire, which fired lately and their settings; silencing one; a test of the senders.
import {
  AlarmParams,
  AlarmsView,
  AlarmTestView,
  AuditLine,
  ReasonRequest,
  SilenceRequest,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const listAlarms = {
  schema: {
    operationId: 'adminListAlarms',
    summary: 'The alarms that fire in the cluster, the last that fired, and all alarms with their settings',
    response: answers(AlarmsView),
  },
  config: { admin: true },
} satisfies RouteDescription

const silenceAlarm = {
  schema: {
    operationId: 'adminSilenceAlarm',
    summary: 'Send no messages about an alarm for some time, or end that',
    description:
      'The alarm is still evaluated and listed. If it still fires when the silence ends, people are notified then. ' +
      'Takes effect on every node with the next round, within seconds.',
    params: AlarmParams,
    body: SilenceRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const testAlarms = {
  schema: {
    operationId: 'adminTestAlarms',
    summary: 'Send a test message through every sender',
    body: ReasonRequest,
    response: answers(Type.Array(AlarmTestView)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminAlarmRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/alarms', listAlarms, async () => success(await app.admin.alarms()))

  api.post('/api/admin/alarms/:id/silence', silenceAlarm, async ({ admin, body, params }) =>
    success(await app.admin.silenceAlarm(params.id, { forMs: body.forMs }, authorOf(admin, body.reason))),
  )

  api.post('/api/admin/alarms/test', testAlarms, async ({ admin, body }) =>
    success(await app.admin.testAlarms(authorOf(admin, body.reason))),
  )
}
