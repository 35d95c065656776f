// The shapes of the operators' API: what they may ask and set, and what they are answered.
import { AnswerTier, EnvelopeMetadata, Id, QuotaView } from '@mangaassist/protocol'
import Type from 'typebox'

const Count = Type.Integer({ minimum: 0 })
/** Far above any real limit, and exact in every store. */
const FIGURE_MAX = 1e12
const Positive = Type.Integer({ minimum: 1, maximum: FIGURE_MAX })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'In the store’s time zone' })
const Name = Type.String({ minLength: 1, maxLength: 256 })
const PAGE_MAX = 1000

export const UserId = Type.String({ minLength: 1, maxLength: 256, description: 'As the ledger has it' })
export const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'Why; it goes to the audit' })

const figures = {
  inputTokensPerDay: Positive,
  outputTokensPerDay: Positive,
  microUsdPerDay: Positive,
  requestsPerMinute: Positive,
  // Nobody is exempt from this cap.
  outputTokensPerRequest: Type.Integer({ minimum: 1, maximum: 2048 }),
  rateFactor: Type.Number({ minimum: 0.1, maximum: 100 }),
}
const TierFigures = Type.Object({ ...figures, outputTokensPerRequest: Positive })
export const TierOverride = Type.Partial(Type.Object(figures), { additionalProperties: false, minProperties: 1 })

export const TierView = Type.Object({
  tier: Type.String(),
  configured: TierFigures,
  override: Type.Optional(TierOverride),
  effective: TierFigures,
})

export const UserOverrideRequest = Type.Object({
  tier: Type.Optional(Type.String({ maxLength: 64, description: 'In place of the tier that their token says' })),
  limits: Type.Optional(TierOverride),
  expiresAt: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: from when on it counts for nothing' })),
  reason: Reason,
})

export const UserOverrideView = Type.Object({
  userId: UserId,
  tier: Type.Optional(Type.String()),
  limits: Type.Optional(TierOverride),
  expiresAt: Type.Optional(Type.String()),
  expired: Type.Boolean(),
})

export const UserView = Type.Object({
  userId: UserId,
  day: Day,
  quota: QuotaView,
  left: Type.Object({ input: Count, output: Count, costMicroUsd: Count }),
  override: Type.Optional(UserOverrideView),
})

export const ResetRequest = Type.Object({
  scope: Type.Enum(['day', 'session']),
  sessionId: Type.Optional(Id),
  reason: Reason,
})

export const AuditLine = Type.Object({
  number: Positive,
  at: Type.String(),
  by: Type.String(),
  action: Type.Enum([
    'tier-set',
    'tier-cleared',
    'user-set',
    'user-cleared',
    'day-reset',
    'session-reset',
    'lane-forced-open',
    'lane-reset',
    'lane-disabled',
    'maintenance-on',
    'maintenance-off',
    'data-exported',
    'data-erased',
    'backed-up',
    'transcript-read',
  ]),
  subject: Type.String({ description: 'The tier, the id of the user, the lane, the conversation, or `service`' }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: Type.String(),
})

const OperatorMark = Type.Object({ action: Type.String(), by: Type.String(), at: Type.String() })
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const LaneParams = Type.Object({
  lane: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'As the list has it, encoded for a URL; or the configured name of a model that goes by it',
  }),
})
export const LaneAction = Type.Object({
  action: Type.Enum(['force-open', 'reset', 'disable'], {
    description:
      '`force-open` lets no call through, `disable` takes circuit and limit away, both until the next action; `reset` ' +
      'gives the lane back to its controller, closed and unlimited',
  }),
  reason: Reason,
})
export const LaneView = Type.Object({
  lane: Type.String({
    description: 'A model at a provider in a region, or `search`, `catalogue`, `sessions`, `redis`',
  }),
  models: Type.Array(Type.String(), { description: 'Configured names; none where the lane is no model’s' }),
  scope: Type.Enum(['fleet', 'node'], {
    description: 'Whose state it is, and where an action takes effect: all nodes, or the node that was asked',
  }),
  level: Type.Enum(['normal', 'slight', 'high', 'recovery', 'open']),
  phase: Type.Enum(['closed', 'open', 'half-open', 'recovering']),
  epoch: Count,
  inFlight: Count,
  limit: orNull(Count),
  bucket: Type.Number({ description: 'What retries can be paid from' }),
  bucketMax: Type.Number(),
  opensAt: orNull(Type.String({ description: 'When an open circuit lets its first probe through' })),
  probes: orNull(Type.Object({ stage: Count, passed: Count, probesMax: Count })),
  recent: Type.Object({ calls: Count, failures: Count, retries: Count, shed: Count }),
  operator: orNull(OperatorMark),
})
export const Maintenance = orNull(Type.Object({ by: Type.String(), at: Type.String() }))
export const MaintenanceChange = Type.Object({ on: Type.Boolean(), reason: Reason })

const Totals = {
  rows: Count,
  inputTokens: Count,
  cacheReadTokens: Count,
  cacheWriteTokens: Count,
  outputTokens: Count,
  costMicroUsd: Count,
  estimatedRows: Type.Integer({ minimum: 0, description: 'Rows whose usage the provider did not tell' }),
  overageRows: Type.Integer({ minimum: 0, description: 'Rows of turns that used more than was reserved' }),
}
export const UsageTotals = Type.Object(Totals)
export const UsageGroup = Type.Object({ key: Type.Record(Type.String(), Type.String()), ...Totals })
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
  estimateError: Type.Optional(Type.Number({ description: 'Of the estimate, as a share of what the prompt took' })),
  costMicroUsd: Count,
  outcome: Type.String(),
  overage: Type.Optional(Type.Literal(true)),
})
export const Spender = Type.Object({ userId: UserId, costMicroUsd: Count })

export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
  after: Type.Optional(Type.String({ maxLength: 2048, description: 'The `metadata.next` of the page before' })),
}
export const UsageFilter = {
  user: Type.Optional(UserId),
  session: Type.Optional(Name),
  model: Type.Optional(Name),
  tier: Type.Optional(Name),
  outcome: Type.Optional(Name),
  day: Type.Optional(Day),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}
export const GroupedBy = Type.String({
  pattern: '^(day|user|session|model|tier|outcome)(,(day|user|session|model|tier|outcome)){0,3}$',
  default: 'day',
  description: 'What to tell apart: up to four of `day`, `user`, `session`, `model`, `tier`, `outcome`',
})
export const SpendersQuery = Type.Object({ day: Type.Optional(Day), ...Paging })
export const AuditQuery = Type.Object({ ...Paging, subject: Type.Optional(UserId) })
export const PagedMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  next: Type.Optional(Type.String({ description: 'To be given as `after` for what follows; absent at the end' })),
})
