// Turns the refusals of budgets into the errors that a caller gets.
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdmissionAnswer } from '#ports/budgets/port.ts'

type Refused = Exclude<AdmissionAnswer, { readonly kind: 'granted' | 'duplicate' }>

type Exceeded = Extract<Refused, { readonly kind: 'quota-exceeded' }>

/** The reason of a refusal when the store is unavailable and a repeat cannot be excluded. */
export const STATE_UNAVAILABLE = 'state-unavailable'

const DAY_PARTS = { 'day-input': 'inputTokens', 'day-output': 'outputTokens', 'day-cost': 'costMicroUsd' } as const
/** A missing amount below this is not worth waiting for. */
const WORTH_WAITING = 64
/** Turns release what they do not need within moments, and the rest when they end. */
const HELD_RETRY_MS = 2000

/** Whether the budget is not used up: the missing amount is only held by running turns, and is released soon. */
export function isOnlyHeld({ quota, scope }: Exceeded): boolean {
  const part = scope in DAY_PARTS ? DAY_PARTS[scope as keyof typeof DAY_PARTS] : undefined
  if (part === undefined || quota.reserved[part] === 0) return false
  return quota.limit[part] - quota.used[part] >= WORTH_WAITING
}

/** `whose` precedes the scope when the limits are not the caller's own; the amounts are then left out. */
export function refusalFor(answer: Refused, now: number, whose?: 'address'): Refusal {
  const scopeOf = (scope: string) => (whose === undefined ? scope : `${whose}-${scope}`)
  switch (answer.kind) {
    case 'key-reused':
      return new Refusal('INVALID_REQUEST', { details: { field: 'idempotencyKey', reason: 'used-with-another-body' } })
    case 'session-busy':
      return new Refusal('SESSION_BUSY', { details: { turnId: answer.turnId } })
    case 'unavailable':
      return new Refusal('MAINTENANCE', {
        retryAfterMs: answer.retryAfterMs,
        details: { reason: STATE_UNAVAILABLE },
      })
    case 'rate-limited':
      return new Refusal('RATE_LIMITED', {
        retryAfterMs: answer.retryAfterMs,
        details: { scope: scopeOf(answer.scope) },
        ...(whose === undefined ? { quota: answer.quota } : {}),
      })
    case 'quota-exceeded': {
      if (isOnlyHeld(answer)) {
        return new Refusal('RATE_LIMITED', {
          retryAfterMs: HELD_RETRY_MS,
          details: { scope: scopeOf(answer.scope), reason: 'held-by-running-turns' },
          ...(whose === undefined ? { quota: answer.quota } : {}),
        })
      }
      // A day's budget is renewed when the day ends; a session's never is, and a new session helps at once.
      const ofSession = answer.scope.startsWith('session-')
      const { resetsAt } = answer.quota
      // Stated explicitly, because many clients retry every 429.
      const until = ofSession ? {} : { resetsAt: isoTime(resetsAt) }
      return new Refusal('QUOTA_EXCEEDED', {
        ...(ofSession ? {} : { retryAfterMs: Math.max(0, resetsAt - now) }),
        details: { scope: scopeOf(answer.scope), retryable: false, ...until },
        ...(whose === undefined ? { quota: answer.quota } : {}),
      })
    }
  }
}
