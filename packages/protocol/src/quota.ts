// The budgets of a principal: used, reserved, limit. Sent in `ready`, `meta` and `GET /api/quota`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count, QuotaTier } from './vocabulary.ts'

export const QuotaLine = Type.Object({ used: Count, reserved: Count, limit: Count })
export type QuotaLine = Static<typeof QuotaLine>

export const QuotaView = Type.Object({
  tier: QuotaTier,
  /** When the budgets of the day start again, ISO 8601. */
  resetsAt: Type.String(),
  input: QuotaLine,
  output: QuotaLine,
  costMicroUsd: QuotaLine,
  requestsPerMinute: QuotaLine,
  /** The budget of the turn's conversation before that turn; only in `meta` and `metadata`. */
  conversation: Type.Optional(Type.Object({ input: QuotaLine, output: QuotaLine })),
})
export type QuotaView = Static<typeof QuotaView>
