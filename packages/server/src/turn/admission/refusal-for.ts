// What a caller is told when shared state refuses an admission.
import { Refusal } from '#domain/refusal.ts'
import type { AdmissionAnswer } from '#ports/shared-state.ts'

type Refused = Exclude<AdmissionAnswer, { readonly kind: 'granted' | 'duplicate' }>

export function refusalFor(answer: Refused, now: number): Refusal {
  switch (answer.kind) {
    case 'key-reused':
      return new Refusal('INVALID_REQUEST', { details: { field: 'idempotencyKey', reason: 'used-with-another-body' } })
    case 'session-busy':
      return new Refusal('SESSION_BUSY', { details: { turnId: answer.turnId } })
    case 'rate-limited':
      return new Refusal('RATE_LIMITED', {
        retryAfterMs: answer.retryAfterMs,
        details: { scope: answer.scope },
        quota: answer.quota,
      })
    case 'quota-exceeded': {
      // A day's budget comes back when the day turns; a session's never does, and a new session helps at once.
      const ofSession = answer.scope.startsWith('session-')
      return new Refusal('QUOTA_EXCEEDED', {
        ...(ofSession ? {} : { retryAfterMs: Math.max(0, answer.quota.resetsAt - now) }),
        details: { scope: answer.scope },
        quota: answer.quota,
      })
    }
  }
}
