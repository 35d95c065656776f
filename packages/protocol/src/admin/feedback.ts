// Thumbs for operators: counted by what answered, and the turns with a thumb down.
import Type from 'typebox'
import type { Static } from 'typebox'
import { TurnFeedback } from '../feedback.ts'
import { AnswerTier, Count, Id, Language } from '../vocabulary.ts'
import { Day, Paging, Reason } from './common.ts'

export const FEEDBACK_PARTS = ['model', 'prompt', 'route', 'experiment', 'arm', 'language'] as const
export const FeedbackPart = Type.Enum([...FEEDBACK_PARTS])
export type FeedbackPart = (typeof FEEDBACK_PARTS)[number]

const days = {
  from: Type.Optional(Day),
  to: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'The last day, which is included' })),
}

export const FeedbackQuery = Type.Object({ by: Type.Optional(FeedbackPart), ...days })
export type FeedbackQuery = Static<typeof FeedbackQuery>

const thumbs = {
  up: Count,
  down: Count,
  shareUp: Type.Number({ description: 'Thumbs up, of all thumbs; 0 where there are none' }),
  low: Type.Number({ description: 'The bounds of the 95 % interval of the share' }),
  high: Type.Number(),
}

export const FeedbackReport = Type.Object({
  groups: Type.Array(Type.Object({ key: Type.String(), ...thumbs }), {
    description:
      'Most thumbs first. A turn of several experiments is in the group of each; `none` has the turns without one',
  }),
  totals: Type.Object(thumbs),
  isCut: Type.Boolean({ description: 'There are more thumbs than were counted: the oldest are missing' }),
})
export type FeedbackReport = Static<typeof FeedbackReport>

export const WorstQuery = Type.Object({
  ...days,
  reason: Type.Optional(
    Type.Unsafe<string>({
      ...Reason,
      description: 'Why the conversations are read: adds question and answer, and a line to the audit for each one',
    }),
  ),
  ...Paging,
})
export type WorstQuery = Static<typeof WorstQuery>

export const WorstTurn = Type.Object({
  turnId: Id,
  sessionId: Type.String(),
  at: Type.String(),
  language: Language,
  feedback: TurnFeedback,
  model: Type.String(),
  tier: AnswerTier,
  prompt: Type.Optional(Type.String({ description: 'The version of the system prompt' })),
  route: Type.Optional(Type.Object({ first: Type.String(), rule: Type.String(), why: Type.String() })),
  exposures: Type.Array(Type.Object({ experiment: Type.String(), arm: Type.String() })),
  mismatches: Type.Array(Type.String()),
  question: Type.Optional(Type.String()),
  answer: Type.Optional(Type.String()),
})
export type WorstTurn = Static<typeof WorstTurn>
