// What a shopper says and does after an answer: thumbs, and opened cards. Only for turns of the caller's conversations.
import { FeedbackRequest, FeedbackView, Id, OpenedRequest } from '@mangaassist/protocol'
import Type from 'typebox'
import { answers, envelopes } from './envelope.ts'
import type { HttpParts, RouteDescription, Routes } from './route-parts.ts'

const TurnParams = Type.Object({ turnId: Id })

const setFeedback = {
  schema: {
    operationId: 'setFeedback',
    summary: 'Set the thumb of an answer',
    description:
      'Up, down, or `null` to take it back, with an optional reason. It replaces an earlier one; a repeat changes nothing. SESSION_BUSY while the answer runs.',
    params: TurnParams,
    body: FeedbackRequest,
    response: answers(FeedbackView),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND', 'SESSION_BUSY'] },
} satisfies RouteDescription

const cardOpened = {
  schema: {
    operationId: 'cardOpened',
    summary: 'Report that a card below an answer was opened',
    params: TurnParams,
    body: OpenedRequest,
    response: answers(TurnParams),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND', 'SESSION_BUSY'] },
} satisfies RouteDescription

export function feedbackRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.post('/api/turns/:turnId/feedback', setFeedback, async (request) =>
    success(await app.setFeedback(request.principal, request.params.turnId, request.body)),
  )

  api.post('/api/turns/:turnId/opened', cardOpened, async ({ body, params, principal }) => {
    await app.cardOpened(principal, params.turnId, body)
    return success({ turnId: params.turnId })
  })
}
