// What the routes of a person's data answer.
import Type from 'typebox'

const Count = Type.Integer({ minimum: 0 })

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

export const ExportView = Type.Object({
  userId: Type.String(),
  exportedAt: Type.String(),
  conversations: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  deferredQuestions: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  ledger: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  isCut: Type.Boolean({ description: 'There is more than one export holds.' }),
})
