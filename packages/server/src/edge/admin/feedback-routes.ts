// Thumbs for operators: counted by what answered, and the turns with a thumb down. Texts of a conversation need a reason.
import { FeedbackQuery, FeedbackReport, WorstQuery, WorstTurn } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { requireRole } from '../operators/roles.ts'
import { authorOf } from './author.ts'

const LIMIT_DEFAULT = 100

const feedback = {
  schema: {
    operationId: 'adminFeedback',
    summary: 'Thumbs by model, prompt version, route, experiment, arm or language',
    description:
      'Counts, the share of thumbs up, and its 95 % interval. `from` and `to` are days of the shop, inclusive.',
    querystring: FeedbackQuery,
    response: answers(FeedbackReport),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const worst = {
  schema: {
    operationId: 'adminWorstFeedback',
    summary: 'The turns with a thumb down, newest first',
    description:
      'With `reason` also question and answer, for the role `operator`, where the conversation still exists; each conversation that is read is in the audit.',
    querystring: WorstQuery,
    response: answersInPages(Type.Array(WorstTurn)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminFeedbackRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/admin/feedback', feedback, async ({ query }) =>
    success(await app.admin.feedback(query.by ?? 'model', query)),
  )

  api.get('/api/admin/feedback/worst', worst, async ({ admin, query }) => {
    const { after, limit = LIMIT_DEFAULT, reason } = query
    if (reason !== undefined) requireRole(admin, 'operator')
    const author = reason === undefined ? undefined : authorOf(admin, reason)
    const asked = { limit, ...(after === undefined ? {} : { after }) }
    const { next, turns } = await app.admin.worstFeedback(query, asked, author)
    return page([...turns], next)
  })
}
