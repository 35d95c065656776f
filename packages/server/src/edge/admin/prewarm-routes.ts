// The admin API for the prewarm: an operator, or a rule of Amazon EventBridge, asks for it.
import { EventBridgeEvent, PrewarmRequest, PrewarmView } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const prewarm = {
  schema: {
    operationId: 'adminPrewarm',
    summary: 'Prewarm the answers of a release day now',
    description:
      'Takes an event of Amazon EventBridge as it is delivered, too; one that is delivered again counts once. The node that is asked ' +
      'begins within a minute, within the limits of `store.prewarm`, also where its schedule is off. A day that is done is not repeated.',
    body: Type.Union([PrewarmRequest, EventBridgeEvent]),
    response: answers(PrewarmView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminPrewarmRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.post('/api/admin/prewarm', prewarm, async ({ admin, body }) =>
    success(
      'detail' in body
        ? await app.admin.prewarmByEvent(body, admin.name)
        : await app.admin.prewarm(body.day, authorOf(admin, body.reason)),
    ),
  )
}
