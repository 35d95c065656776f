// What a principal has used, has reserved and may use: told in `ready`, `meta` and `GET /api/quota`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count, QuotaTier } from './vocabulary.ts'

export const QuotaLine = Type.Object({ used: Count, reserved: Count, limit: Count })
export type QuotaLine = Static<typeof QuotaLine>

export const QuotaView = Type.Object({
  tier: QuotaTier,
  /** When the day's lines start again, ISO 8601. */
  resetsAt: Type.String(),
  input: QuotaLine,
  output: QuotaLine,
  costMicroUsd: QuotaLine,
  requestsPerMinute: QuotaLine,
})
export type QuotaView = Static<typeof QuotaView>
