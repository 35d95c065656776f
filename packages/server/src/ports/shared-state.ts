// What must be decided atomically for a principal: rates, budgets, idempotency, and which turn a session is
// busy with. `admit` checks everything and takes everything, or refuses and takes nothing. What it takes is a
// hold: a lease that is narrowed once the prompt is known, renewed while the turn runs, settled exactly once
// to what was really used, and given back by itself when its owner died.
import type { Day } from '#domain/day.ts'
import type { Amounts, Hold, QuotaScope, QuotaState, RateScope, TierLimits } from '#domain/quota.ts'

export interface AdmissionAsk {
  /** Names the operation: a repeat with the same id is answered as the first time. It becomes the hold's id. */
  readonly turnId: string
  readonly principalId: string
  readonly sessionId: string
  readonly limits: TierLimits
  readonly day: Day
  readonly idempotency: {
    readonly key: string
    /** A digest of the body: the same key with another body is refused. */
    readonly fingerprint: string
    /** How long from its acceptance the key claims duplicates, unless settlement says otherwise. */
    readonly claimMs: number
  }
  /** The request's ceiling. What is granted is this or what is left, whichever is less. */
  readonly ask: Amounts
  readonly leaseMs: number
}

export type AdmissionAnswer =
  | { readonly kind: 'granted'; readonly hold: Hold; readonly quota: QuotaState }
  | { readonly kind: 'duplicate'; readonly turnId: string; readonly sessionId: string }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'session-busy'; readonly turnId: string }
  | {
      readonly kind: 'rate-limited'
      readonly scope: RateScope
      readonly retryAfterMs: number
      readonly quota: QuotaState
    }
  | { readonly kind: 'quota-exceeded'; readonly scope: QuotaScope; readonly quota: QuotaState }

/** A hold or a session, named with whose it is, which says where it lives. */
export interface OwnedId {
  readonly id: string
  readonly principalId: string
}

export interface SettleResult {
  /** False when it had been settled or released before: nothing was charged again. */
  readonly charged: boolean
  /** More was used than the hold still covered, because a provider overshot or the hold had expired. */
  readonly overage: boolean
}

export interface SharedState {
  admit(ask: AdmissionAsk): Promise<AdmissionAnswer>
  /** Reduces a hold to what the prompt needs, never raising any part of it; false when the hold is gone. */
  narrow(hold: OwnedId, to: Amounts): Promise<boolean>
  /** Keeps a hold for another `leaseMs`; false when it is gone. */
  renew(hold: OwnedId, leaseMs: number): Promise<boolean>
  /**
   * Charges what was used to the admission day and the session. The idempotency claim then ends `claimMs` from now,
   * or when it was to end anyway if that is undefined.
   */
  settle(hold: Hold, used: Amounts, claimMs: number | undefined): Promise<SettleResult>
  /** Undoes an admission: nothing is charged and its idempotency claim is forgotten. Once settled, only the claim is. */
  release(hold: OwnedId): Promise<void>
  quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState>
  /** The turn that a session is busy with. */
  runningTurn(session: OwnedId): Promise<string | undefined>
}
