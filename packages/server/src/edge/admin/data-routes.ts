// The admin API for stored data: a user's export and erasure, and a backup of this node. Each has an audit line.
import { ErasedView, ExportView } from '@mangaassist/protocol'
import { BackupRequest, BackupView, ReasonRequest, UserParams } from '@mangaassist/protocol/admin'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const exportUser = {
  schema: {
    operationId: 'adminExportUser',
    summary: 'Export all data stored about a user',
    params: UserParams,
    querystring: ReasonRequest,
    response: answers(ExportView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const eraseUser = {
  schema: {
    operationId: 'adminEraseUser',
    summary: 'Erase the data stored about a user',
    description: 'Stops running answers first. The reply lists what was removed and what stays.',
    params: UserParams,
    body: ReasonRequest,
    response: answers(ErasedView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const backUp = {
  schema: {
    operationId: 'adminBackUp',
    summary: 'Back up the data of this node to a new folder on its machine, among its backups (`server.backupDir`)',
    description: 'For one machine only: a cluster stores its shared data in Redis. The server keeps running.',
    body: BackupRequest,
    response: answers(BackupView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminDataRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/users/:userId/export', exportUser, async ({ admin, params, query }) =>
    success(await app.admin.exportUser(params.userId, authorOf(admin, query.reason))),
  )

  api.post('/api/admin/users/:userId/erase', eraseUser, async ({ admin, body, params }) => {
    const { kept, ...erased } = await app.admin.eraseUser(params.userId, authorOf(admin, body.reason))
    return success({ ...erased, kept: [...kept] })
  })

  api.post('/api/admin/backup', backUp, async ({ admin, body }) =>
    success(await app.admin.backUpTo(body.folder, authorOf(admin, body.reason))),
  )
}
