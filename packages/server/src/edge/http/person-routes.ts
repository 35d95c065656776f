// A person's own data: the export of all that is stored about the caller, and its erasure. For guests and users.
import { ErasedView, ExportView } from '@mangaassist/protocol'
import { NEVER_STORED } from '../identity/guest-cookie.ts'
import { answers, envelopes } from './envelope.ts'
import type { HttpParts, RouteDescription, Routes } from './route-parts.ts'

const exportMe = {
  schema: {
    operationId: 'exportMe',
    summary: 'Export all data stored about the caller',
    description: 'Conversations with every turn, deferred questions, the cart, orders, and the rows of the ledger.',
    response: answers(ExportView),
  },
} satisfies RouteDescription

const eraseMe = {
  schema: {
    operationId: 'eraseMe',
    summary: 'Erase the data stored about the caller',
    description:
      'Stops running answers first. The reply lists what was removed and what stays. The caller’s identity stays valid, and today’s budget stays used.',
    response: answers(ErasedView),
  },
} satisfies RouteDescription

export function personRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/me/export', exportMe, async (request, reply) => {
    reply.header('cache-control', NEVER_STORED)
    return success(await app.exportMe(request.principal))
  })

  api.delete('/api/me', eraseMe, async (request, reply) => {
    reply.header('cache-control', NEVER_STORED)
    const { kept, ...erased } = await app.eraseMe(request.principal)
    return success({ ...erased, kept: [...kept] })
  })
}
