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
  tag: Type.Optional(Type.String({ description: 'What a request of an API key was booked under' })),
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
  tag: Type.Optional(Name),
  day: Type.Optional(Day),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}
const PARTS = ['day', 'user', 'key', 'session', 'model', 'tier', 'outcome', 'tag'] as const
const part = `(${PARTS.join('|')})`
const GroupedBy = Type.String({
  pattern: `^${part}(,${part}){0,3}$`,
  default: 'day',
  description: `The keys of the groups: up to four of ${PARTS.map((name) => `\`${name}\``).join(', ')}. \`key\` has the API keys, and everyone else under an empty name`,
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

export const ReconcileRequest = Type.Object({
  bill: Type.String({
    minLength: 1,
    maxLength: 2_000_000,
    description: 'CSV or JSON with day, model, inputTokens, outputTokens and, where known, costUsd',
  }),
  tolerancePercent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, default: 2 })),
  zone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'The time zone of the bill’s days. Default: the store’s' }),
  ),
})
export type ReconcileRequest = Static<typeof ReconcileRequest>

export const BillVerdict = Type.Enum([
  'agrees',
  'differs',
  'missing-in-ledger',
  'missing-at-provider',
  'zero-in-ledger',
  'zero-at-provider',
])
export type BillVerdict = Static<typeof BillVerdict>

export const ReconcileView = Type.Object({
  agrees: Type.Boolean(),
  comparisons: Type.Array(
    Type.Object({
      day: Day,
      model: Type.String(),
      verdict: BillVerdict,
      figures: Type.Array(
        Type.Object({
          figure: Type.Enum(['inputTokens', 'outputTokens', 'costMicroUsd']),
          ledger: Type.Number(),
          provider: Type.Number(),
          off: Type.Optional(
            Type.Number({ description: 'How much more the ledger has, as a share; absent where the bill has zero' }),
          ),
        }),
      ),
    }),
  ),
})
export type ReconcileView = Static<typeof ReconcileView>
