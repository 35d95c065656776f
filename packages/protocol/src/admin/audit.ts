// The audit: every change that an operator made, with its reason.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Paging, Positive, Reason, UserId } from './common.ts'

/** Every kind of change that the audit has; the metric of changes has the same. */
export const AUDIT_ACTIONS = [
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
  'catalogue-imported',
  'offers-imported',
  'experiment-started',
  'experiment-stopped',
  'arm-stopped',
  'prewarm-asked',
  'setting-set',
  'setting-cleared',
  'blocked',
  'unblocked',
  'signed-in',
  'signed-out',
  'alarm-silenced',
  'alarm-unsilenced',
  'alarms-tested',
  'handover-taken',
  'handover-closed',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AuditLine = Type.Object({
  number: Positive,
  at: Type.String(),
  by: Type.String(),
  action: Type.Enum(AUDIT_ACTIONS),
  subject: Type.String({
    description:
      'The tier, user id, lane, conversation, experiment or alarm that was changed, `catalogue`, the setting, what was blocked, the request for a person, `service`, or the operator who signed in or out',
  }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: Type.String(),
})
export type AuditLine = Static<typeof AuditLine>

export const AuditQuery = Type.Object({ ...Paging, subject: Type.Optional(UserId) })
export type AuditQuery = Static<typeof AuditQuery>

/** The body of a change that needs only a reason. */
export const ReasonRequest = Type.Object({ reason: Reason })
export type ReasonRequest = Static<typeof ReasonRequest>
