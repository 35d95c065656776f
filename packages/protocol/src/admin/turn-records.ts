// Turn records for operators: what is kept of each ended turn.
import Type from 'typebox'
import type { Static } from 'typebox'
import { FeedbackValue, TurnFeedback } from '../feedback.ts'
import { AnswerTier, Count, FinishReason, Id, Language } from '../vocabulary.ts'
import { Day, Paging, UserId } from './common.ts'

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Level = Type.Union([Type.Literal('simple'), Type.Literal('moderate'), Type.Literal('complex')])
const Judged = Type.Object({
  level: Level,
  probabilities: Type.Object({ simple: Type.Number(), moderate: Type.Number(), complex: Type.Number() }),
  floor: Level,
  sureness: Type.Number(),
})

export const TurnRecordsQuery = Type.Object({
  user: Type.Optional(UserId),
  session: Type.Optional(Name),
  experiment: Type.Optional(Name),
  feedback: Type.Optional(FeedbackValue),
  from: Type.Optional(Day),
  to: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'The last day, which is included' })),
  ...Paging,
})
export type TurnRecordsQuery = Static<typeof TurnRecordsQuery>

export const TurnRecordView = Type.Object({
  turnId: Id,
  sessionId: Type.String(),
  principalId: Type.String(),
  userTier: Type.String(),
  at: Type.String({ description: 'When the turn ended' }),
  language: Language,
  position: Type.Integer({ minimum: 0, description: 'How many turns the conversation had before' }),
  routing: Type.Optional(
    Type.Object(
      {
        choice: Type.Optional(
          Type.Object({ first: Type.String(), rule: Type.String(), why: Type.String(), judged: Judged }),
        ),
        escalation: Type.Optional(Type.String()),
        exposures: Type.Array(Type.Object({ experiment: Type.String(), arm: Type.String() })),
        unit: Type.String({ description: 'Who is assigned to arms: the user, or the guest that the user was first' }),
      },
      { description: 'Absent where routing was off and no experiment ran' },
    ),
  ),
  weighed: Type.Optional(
    Type.Object(
      { judged: Judged, plain: Type.Array(Type.String()), promptTokens: Count },
      { description: 'What was known of the question before a model was chosen' },
    ),
  ),
  promptVersion: Type.Optional(Type.String()),
  tier: AnswerTier,
  model: Type.String(),
  finishReason: FinishReason,
  isDegraded: Type.Boolean({ description: 'Below the first choice of its route' }),
  isCached: Type.Boolean(),
  failure: Type.Optional(Type.String()),
  attempts: Count,
  inputTokens: Count,
  outputTokens: Count,
  costMicroUsd: Count,
  firstWordMs: Type.Union([Count, Type.Null()]),
  totalMs: Count,
  mismatches: Type.Array(Type.String(), { description: 'Kinds of claims that the store contradicted' }),
  received: Type.Object(
    {
      feedback: Type.Optional(TurnFeedback),
      followedUp: Type.Optional(Type.Literal(true)),
      askedAgain: Type.Optional(Type.Literal(true)),
      cardsOpened: Type.Optional(Count),
      handedOver: Type.Optional(Type.Literal(true)),
    },
    { description: 'What the shopper did with the answer' },
  ),
})
export type TurnRecordView = Static<typeof TurnRecordView>
