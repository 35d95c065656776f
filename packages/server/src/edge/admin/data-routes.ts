// The operators' API for stored data: a user's export and erasure, and a backup of this node. Each is a line of the audit.
import { EnvelopeMetadata, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import { Reason, UserId } from './schemas.ts'
import { ErasedView, ExportView } from '../http/person-schemas.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'

const UserParams = Type.Object({ userId: UserId })
const Why = Type.Object({ reason: Reason })

export function adminDataRoutes(api: Routes, { app, clock }: HttpParts): void {
  const answer = <Data>(data: Data) => ({ success: true as const, data, metadata: { timestamp: isoTime(clock.now()) } })
  const described = <Data extends Type.TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

  api.get(
    '/api/admin/users/:userId/export',
    {
      schema: {
        operationId: 'adminExportUser',
        summary: 'All that is stored of a user',
        params: UserParams,
        querystring: Why,
        response: described(ExportView),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, params, query }) =>
      answer(await app.admin.exportUser(params.userId, { by: admin.name, reason: query.reason })),
  )

  api.post(
    '/api/admin/users/:userId/erase',
    {
      schema: {
        operationId: 'adminEraseUser',
        summary: 'Erase all that is stored of a user',
        description: 'Stops running answers first. Answers what was removed and what stays.',
        params: UserParams,
        body: Why,
        response: described(ErasedView),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, body, params }) => {
      const { kept, ...erased } = await app.admin.eraseUser(params.userId, { by: admin.name, reason: body.reason })
      return answer({ ...erased, kept: [...kept] })
    },
  )

  api.post(
    '/api/admin/backup',
    {
      schema: {
        operationId: 'adminBackUp',
        summary: 'Copy all that this node stores to a new folder on its own machine',
        description: 'One machine only: what a fleet shares is in Redis. The server goes on meanwhile.',
        body: Type.Object({ folder: Type.String({ minLength: 1, maxLength: 4096 }), reason: Reason }),
        response: described(Type.Object({ bytes: Type.Integer() })),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, body }) => answer(await app.admin.backUpTo(body.folder, { by: admin.name, reason: body.reason })),
  )
}
