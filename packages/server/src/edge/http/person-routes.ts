// A person's own data: all that is stored of the caller, and its erasure. Guests and members alike.
import { EnvelopeMetadata, successEnvelope } from '@mangaassist/protocol'
import type Type from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import { NEVER_STORED } from '../identity/guest-cookie.ts'
import { ErasedView, ExportView } from './person-schemas.ts'
import type { HttpParts, Routes } from './route-parts.ts'

export function personRoutes(api: Routes, { app, clock }: HttpParts): void {
  const success = <Data>(data: Data) => ({
    success: true as const,
    data,
    metadata: { timestamp: isoTime(clock.now()) },
  })
  const described = <Data extends Type.TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

  api.get(
    '/api/me/export',
    {
      schema: {
        operationId: 'exportMe',
        summary: 'All that is stored of the caller',
        description: 'Conversations with every turn, questions that wait for an answer, and the rows of the books.',
        response: described(ExportView),
      },
    },
    async (request, reply) => {
      reply.header('cache-control', NEVER_STORED)
      return success(await app.exportMe(request.principal))
    },
  )

  api.delete(
    '/api/me',
    {
      schema: {
        operationId: 'eraseMe',
        summary: 'Erase all that is stored of the caller',
        description:
          'Stops running answers first. Answers what was removed and what stays. The caller’s identity stays valid, and today’s budget stays used.',
        response: described(ErasedView),
      },
    },
    async (request, reply) => {
      reply.header('cache-control', NEVER_STORED)
      const { kept, ...erased } = await app.eraseMe(request.principal)
      return success({ ...erased, kept: [...kept] })
    },
  )
}
