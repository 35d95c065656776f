// The ledger for operators: totals, rows, and users whose cost is above the alarm.
import Type from 'typebox'
import type { Static } from 'typebox'
import { AnswerTier, Count, Id } from '../vocabulary.ts'
import { Day, Paging, UserId } from './common.ts'

const Name = Type.String({ minLength: 1, maxLength: 256 })

const totals = {
  rows: Count,
  inputTokens: Count,
  cacheReadTokens: Count,
  cacheWriteTokens: Count,
  outputTokens: Count,
  costMicroUsd: Count,
  estimatedRows: Type.Integer({ minimum: 0, description: 'Rows whose usage the provider did not report' }),
  overageRows: Type.Integer({ minimum: 0, description: 'Rows of turns that used more than their hold' }),
}
const UsageTotals = Type.Object(totals)
const UsageGroup = Type.Object({ key: Type.Record(Type.String(), Type.String()), ...totals })
/** `totals` is only on the first page. */
export const UsageView = Type.Object({ groups: Type.Array(UsageGroup), totals: Type.Optional(UsageTotals) })
export type UsageView = Static<typeof UsageView>

export const UsageRow = Type.Object({
  turnId: Id,
  attempt: Count,
  principalId: Type.String(),
  userTier: Type.Optional(Type.String()),
  sessionId: Type.String(),
  day: Day,
  at: Count,
  model: Type.String(),
  tier: AnswerTier,
  inputTokens: Count,
  cacheReadTokens: Type.Optional(Count),
  cacheWriteTokens: Type.Optional(Count),
  outputTokens: Count,
  estimated: Type.Boolean(),
  estimate: Type.Optional(
    Type.Object({ system: Count, retrieval: Count, history: Count, message: Count, total: Count }),
  ),
  estimateError: Type.Optional(
    Type.Number({ description: 'The error of the estimate, as a share of the real input tokens' }),
  ),
  prompt: Type.Optional(Type.String({ description: 'The version of the system prompt that was sent' })),
  costMicroUsd: Count,
  outcome: Type.String(),
  overage: Type.Optional(Type.Literal(true)),
  lostOwner: Type.Optional(
    Type.Integer({ description: 'The owner that booked this call after another node had taken the turn over' }),
  ),
})
export type UsageRow = Static<typeof UsageRow>

const filter = {
  user: Type.Optional(UserId),
  session: Type.Optional(Name),
  model: Type.Optional(Name),
  tier: Type.Optional(Name),
  outcome: Type.Optional(Name),
  day: Type.Optional(Day),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}
const GroupedBy = Type.String({
  pattern: '^(day|user|session|model|tier|outcome)(,(day|user|session|model|tier|outcome)){0,3}$',
  default: 'day',
  description: 'The keys of the groups: up to four of `day`, `user`, `session`, `model`, `tier`, `outcome`',
})
export const UsageQuery = Type.Object({ by: Type.Optional(GroupedBy), ...filter, ...Paging })
export type UsageQuery = Static<typeof UsageQuery>
export const UsageRowsQuery = Type.Object({
  turn: Type.Optional(Id),
  ...filter,
  ...Paging,
})
export type UsageRowsQuery = Static<typeof UsageRowsQuery>

export const SpendersQuery = Type.Object({ day: Type.Optional(Day), ...Paging })
export type SpendersQuery = Static<typeof SpendersQuery>
export const SpendersView = Type.Object({
  day: Type.String(),
  alarmMicroUsd: Type.Integer(),
  users: Type.Array(Type.Object({ userId: UserId, costMicroUsd: Count })),
})
export type SpendersView = Static<typeof SpendersView>
