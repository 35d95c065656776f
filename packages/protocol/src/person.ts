// Export and erasure of a user's data, for the user (`/api/me`) and for an operator.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from './vocabulary.ts'

export const ErasedView = Type.Object({
  conversations: Count,
  turnLogs: Count,
  deferredQuestions: Count,
  cachedAnswers: Count,
  handovers: Type.Optional(Type.Integer({ minimum: 0, description: 'Requests for a person.' })),
  turnRecords: Count,
  cartItems: Count,
  orders: Count,
  samples: Type.Integer({ minimum: 0, description: 'Samples of raw model responses on this node.' }),
  ledgerRowsRenamed: Count,
  stillRunning: Type.Integer({ minimum: 0, description: 'Answers that did not end in time: repeat the erasure.' }),
  kept: Type.Array(Type.String(), { description: 'Data that is not erased, with the reason.' }),
})
export type ErasedView = Static<typeof ErasedView>

export const ExportView = Type.Object({
  userId: Type.String(),
  exportedAt: Type.String(),
  conversations: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  deferredQuestions: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  cart: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  orders: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  handovers: Type.Optional(Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true })))),
  ledger: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  turnRecords: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  refusals: Type.Array(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
  isCut: Type.Boolean({ description: 'True when there is more data than one export can hold.' }),
})
export type ExportView = Static<typeof ExportView>
