// The limits of users: those of tiers, overrides of tiers and of single users, and resets.
import Type from 'typebox'
import type { Static } from 'typebox'
import { QuotaView } from '../quota.ts'
import { Count, Id } from '../vocabulary.ts'
import { Day, Positive, Reason, UserId } from './common.ts'

const figures = {
  inputTokensPerDay: Positive,
  outputTokensPerDay: Positive,
  microUsdPerDay: Positive,
  requestsPerMinute: Positive,
  // An override cannot exceed this cap either.
  outputTokensPerRequest: Type.Integer({ minimum: 1, maximum: 2048 }),
  rateFactor: Type.Number({ minimum: 0.1, maximum: 100 }),
}
const TierFigures = Type.Object({ ...figures, outputTokensPerRequest: Positive })
const TierOverride = Type.Partial(Type.Object(figures), { additionalProperties: false, minProperties: 1 })

export const TierParams = Type.Object({ tier: Type.String({ minLength: 1, maxLength: 64 }) })
export const UserParams = Type.Object({ userId: UserId })

export const TierView = Type.Object({
  tier: Type.String(),
  configured: TierFigures,
  override: Type.Optional(TierOverride),
  effective: TierFigures,
})
export type TierView = Static<typeof TierView>

export const TierOverrideRequest = Type.Object({ limits: TierOverride, reason: Reason })
export type TierOverrideRequest = Static<typeof TierOverrideRequest>

export const UserOverrideRequest = Type.Object({
  tier: Type.Optional(Type.String({ maxLength: 64, description: 'Replaces the tier in the user’s token' })),
  limits: Type.Optional(TierOverride),
  expiresAt: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: the override ends then' })),
  reason: Reason,
})
export type UserOverrideRequest = Static<typeof UserOverrideRequest>

export const UserOverrideView = Type.Object({
  userId: UserId,
  tier: Type.Optional(Type.String()),
  limits: Type.Optional(TierOverride),
  expiresAt: Type.Optional(Type.String()),
  expired: Type.Boolean(),
})
export type UserOverrideView = Static<typeof UserOverrideView>

export const UserQuery = Type.Object({ tier: Type.Optional(Type.String({ maxLength: 64 })) })
export type UserQuery = Static<typeof UserQuery>

export const UserView = Type.Object({
  userId: UserId,
  day: Day,
  quota: QuotaView,
  left: Type.Object({ input: Count, output: Count, costMicroUsd: Count }),
  override: Type.Optional(UserOverrideView),
})
export type UserView = Static<typeof UserView>

export const ResetRequest = Type.Object({
  scope: Type.Enum(['day', 'session']),
  sessionId: Type.Optional(Id),
  reason: Reason,
})
export type ResetRequest = Static<typeof ResetRequest>
