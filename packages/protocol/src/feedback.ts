// What a shopper says and does after an answer: a thumb with an optional reason, and the cards that were opened.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Id } from './vocabulary.ts'

/** In code points, without the space around it. */
export const FEEDBACK_REASON_MAX = 500
/** Bounds what is read; the server counts code points of the trimmed text. */
const REASON_LENGTH_MAX = 4 * FEEDBACK_REASON_MAX

export const FeedbackValue = Type.Union([Type.Literal('up'), Type.Literal('down')])
export type FeedbackValue = Static<typeof FeedbackValue>

const OfSession = Type.Optional(
  Type.Unsafe<string>({ ...Id, description: 'The conversation, by which a turn is found whose record was not stored' }),
)

export const FeedbackRequest = Type.Object({
  value: Type.Union([FeedbackValue, Type.Null()], { description: '`null` takes the thumb back' }),
  reason: Type.Optional(
    Type.String({ maxLength: REASON_LENGTH_MAX, description: `At most ${FEEDBACK_REASON_MAX} characters, trimmed` }),
  ),
  sessionId: OfSession,
})
export type FeedbackRequest = Static<typeof FeedbackRequest>

/** The thumb of a turn as it is stored. */
export const TurnFeedback = Type.Object({
  value: FeedbackValue,
  reason: Type.Optional(Type.String()),
  at: Type.String(),
})
export type TurnFeedback = Static<typeof TurnFeedback>

export const FeedbackView = Type.Object({ turnId: Id, feedback: Type.Union([TurnFeedback, Type.Null()]) })
export type FeedbackView = Static<typeof FeedbackView>

export const OpenedRequest = Type.Object({ productId: Id, sessionId: OfSession })
export type OpenedRequest = Static<typeof OpenedRequest>
