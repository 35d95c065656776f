// A person's own data, for the person (`/api/me`) and for an operator: all that is stored, and what an erasure removed.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from './vocabulary.ts'

export const ErasedView = Type.Object({
  conversations: Count,
  turnLogs: Count,
  deferredQuestions: Count,
  cachedAnswers: Count,
  samples: Type.Integer({ minimum: 0, description: 'Of raw responses on this node.' }),
  ledgerRowsRenamed: Count,
  stillRunning: Type.Integer({ minimum: 0, description: 'Answers that did not end in time: erase again.' }),
  kept: Type.Array(Type.String(), { description: 'What stays, and why.' }),
})
export type ErasedView = Static<typeof ErasedView>

export const ExportView = Type.Object({
  userId: Type.String(),
  exportedAt: Type.String(),
  conversations: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  deferredQuestions: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  ledger: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  isCut: Type.Boolean({ description: 'There is more than one export holds.' }),
})
export type ExportView = Static<typeof ExportView>
