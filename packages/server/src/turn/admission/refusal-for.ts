// What a caller is told when shared state refuses an admission.
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdmissionAnswer } from '#ports/budgets/port.ts'

type Refused = Exclude<AdmissionAnswer, { readonly kind: 'granted' | 'duplicate' }>

type Exceeded = Extract<Refused, { readonly kind: 'quota-exceeded' }>

/** Why a question is refused that cannot be judged without the store. */
export const STATE_UNAVAILABLE = 'state-unavailable'

const DAY_PARTS = { 'day-input': 'inputTokens', 'day-output': 'outputTokens', 'day-cost': 'costMicroUsd' } as const
/** Less than this is not worth waiting for. */
const WORTH_WAITING = 64
/** Turns give back what they do not need within moments, and the rest when they end. */
const HELD_RETRY_MS = 2000

/** Whether the budget is not used up: what is missing is only held by turns under way, and comes back soon. */
export function isOnlyHeld({ quota, scope }: Exceeded): boolean {
  const part = scope in DAY_PARTS ? DAY_PARTS[scope as keyof typeof DAY_PARTS] : undefined
  if (part === undefined || quota.reserved[part] === 0) return false
  return quota.limit[part] - quota.used[part] >= WORTH_WAITING
}

/** `whose` is said before the scope, when the limits are not the caller's own; their figures are nobody's business then. */
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
      // A day's budget comes back when the day turns; a session's never does, and a new session helps at once.
      const ofSession = answer.scope.startsWith('session-')
      const { resetsAt } = answer.quota
      // Said in so many words, because many clients take any 429 for an invitation to try again.
      const until = ofSession ? {} : { resetsAt: isoTime(resetsAt) }
      return new Refusal('QUOTA_EXCEEDED', {
        ...(ofSession ? {} : { retryAfterMs: Math.max(0, resetsAt - now) }),
        details: { scope: scopeOf(answer.scope), retryable: false, ...until },
        ...(whose === undefined ? { quota: answer.quota } : {}),
      })
    }
  }
}
