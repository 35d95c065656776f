// The admin API for settings that take effect while the servers run: the mode of the service, the log level, and switches.
import { AuditLine, SettingRequest, SettingView } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const listSettings = {
  schema: {
    operationId: 'adminListSettings',
    summary:
      'The mode, the log level and the switches: what is in effect, what is configured, who changed it and until when',
    response: answers(Type.Array(SettingView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const setSetting = {
  schema: {
    operationId: 'adminSetSetting',
    summary: 'Change a setting, until a given time or without end',
    description:
      'Takes effect on every node within a second, survives restarts, and replaces an earlier change. A switch cannot turn on what the ' +
      'configuration has turned off.',
    body: SettingRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminSettingRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/settings', listSettings, async () => success([...(await app.admin.settings())]))

  api.put('/api/admin/settings', setSetting, async ({ admin, body }) => {
    const { name, reason, until, value } = body
    const expiresAt = until === undefined ? undefined : fromIsoTime(until)
    if (until !== undefined && expiresAt === undefined)
      throw invalid('until', 'must be a moment such as 2026-12-24T18:00:00+09:00')
    const request = { name, value, ...(expiresAt === undefined ? {} : { expiresAt }) }
    return success(await app.admin.setSetting(request, authorOf(admin, reason)))
  })
}
