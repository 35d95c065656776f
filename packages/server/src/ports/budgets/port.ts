// What must be decided atomically for a principal: rates, budgets, idempotency, and which turn a session is running.
// `admit` checks and takes everything, or refuses and takes nothing. It takes a hold: a lease that is narrowed when the
// prompt is known, renewed while the turn runs, settled exactly once to the real use, and that expires when its owner dies.
import type { Day } from '#domain/budget/day.ts'
import type { Amounts, Hold, QuotaScope, QuotaState, RateScope, TierLimits } from '#domain/budget/quota.ts'

export interface AdmissionAsk {
  /** Names the operation: a repeat with the same id gets the first result. It becomes the hold's id. */
  readonly turnId: string
  readonly principalId: string
  readonly sessionId: string
  readonly limits: TierLimits
  readonly day: Day
  readonly idempotency: {
    readonly key: string
    /** A digest of the body: the same key with another body is refused. */
    readonly fingerprint: string
    /** How long the key claims duplicates after its acceptance, unless settlement changes it. */
    readonly claimMs: number
  }
  /**
   * Whether the key may have been sent before: `certain` when the sender says so, `possible` when it does not say. Absent:
   * this is the first sending, and no other node can have admitted it.
   */
  readonly repeat?: 'possible' | 'certain'
  /** When the question arrived, by the node's clock. */
  readonly arrivedAt?: number
  /** The number of users who share the account, such as those behind one network address. */
  readonly users?: number
  /** The most that the request may use. The grant is this or the rest of the budget, whichever is less. */
  readonly ask: Amounts
  readonly leaseMs: number
}

/** What a claimed key leads to. */
export type Claimed =
  | { readonly kind: 'duplicate'; readonly turnId: string; readonly sessionId: string }
  | { readonly kind: 'key-reused' }

export type AdmissionAnswer =
  | { readonly kind: 'granted'; readonly hold: Hold; readonly quota: QuotaState }
  | Claimed
  | { readonly kind: 'session-busy'; readonly turnId: string }
  | {
      readonly kind: 'rate-limited'
      readonly scope: RateScope
      readonly retryAfterMs: number
      readonly quota: QuotaState
    }
  | { readonly kind: 'quota-exceeded'; readonly scope: QuotaScope; readonly quota: QuotaState }
  /** The principal's store is unavailable, and the allowance without it is used up. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }

/** The id of a hold or a session with its principal, which determines where it is stored. */
export interface OwnedId {
  readonly id: string
  readonly principalId: string
}

export interface SettleResult {
  /** False when it was settled before: nothing was charged again. */
  readonly charged: boolean
  /**
   * More was used than the hold still covered, because a provider exceeded its limit or the hold had expired. A repeat gets
   * the first result.
   */
  readonly overage: boolean
  /** This charge, and no other, raised the principal's spending of the day above `alarmMicroUsd`. */
  readonly alarm?: true
}

/** What a settlement does besides charging. */
export interface SettleTerms {
  /** How long from now the idempotency claim ends; undefined: at its previous end. */
  readonly claimMs?: number | undefined
  /** The result has `alarm` when this charge raises the day's spending above this amount. */
  readonly alarmMicroUsd?: number
  /** Charges nothing while the turn is held: its owner will settle it. For charges from the ledger. */
  readonly unlessHeld?: true
}

/** The use of a day or of a session that an operator resets. */
export type UseToReset =
  | { readonly principalId: string; readonly day: Day }
  | { readonly principalId: string; readonly sessionId: string }

/** A principal's day that was compared with the ledger. */
export interface ComparedDay {
  readonly principalId: string
  readonly day: Day
  /** The messages of the day that the ledger knows: at least as many count. */
  readonly messages: number
  /** The epoch of the store: it changes when the store has lost data. */
  readonly epoch: string
}

export interface Budgets {
  admit(ask: AdmissionAsk): Promise<AdmissionAnswer>
  /**
   * Like `admit`, but only for a principal whose day was compared with the ledger in this epoch. Otherwise it takes
   * nothing and returns undefined where `admit` would grant, or refuse by a limit. Stores that cannot lose part of
   * their data are never called this way.
   */
  admitCompared(ask: AdmissionAsk, epoch: string): Promise<AdmissionAnswer | undefined>
  markCompared(compared: ComparedDay): Promise<void>
  /** What the key of a question leads to; undefined when it is not claimed. Changes nothing. */
  claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>): Promise<Claimed | undefined>
  /**
   * Makes a key lead to a turn that another node granted while this store was unavailable, whatever it led to before: that
   * turn's caller has been answered. Its charge follows with `settle`. A repeat changes nothing.
   */
  claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): Promise<void>
  /** Reduces a hold to what the prompt needs, never raising any part of it; false when the hold has ended. */
  narrow(hold: OwnedId, to: Amounts): Promise<boolean>
  /**
   * Raises a hold to at least `to` in every part, if every scope has room for the difference; otherwise, or when the hold
   * has ended, changes nothing and returns false. A repeat adds nothing.
   */
  extend(hold: Hold, to: Amounts, limits: TierLimits): Promise<boolean>
  /** Extends a hold by `leaseMs`; false when it has ended. */
  renew(hold: OwnedId, leaseMs: number): Promise<boolean>
  /**
   * Charges the use to the admission day and the session, once, even when the admission was released before: a release may
   * be executed after the same turn was granted again. The idempotency claim then ends `claimMs` from now, or at its old
   * end when that is undefined. The result has `alarm` when the day's spending rises above `alarmMicroUsd`.
   */
  settle(hold: Hold, used: Amounts, terms?: SettleTerms): Promise<SettleResult>
  /**
   * Sets the use so far to zero and returns it. Holds stay: their use is charged in full. The day's messages become those
   * of the holds.
   */
  reset(use: UseToReset): Promise<Amounts>
  /** Undoes an admission: ends its hold and removes its idempotency claim. Changes nothing after settlement. */
  release(hold: OwnedId): Promise<void>
  /** Frees the key of a turn, because its answer was deleted. Hold and charge stay. */
  forgetClaim(hold: OwnedId): Promise<void>
  quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState>
  /** The running turn of a session, including its former owner's. */
  runningTurn(session: OwnedId & { readonly inheritedFrom?: string }): Promise<string | undefined>
  /**
   * Makes the former owner's use of a session count for its new owner; the former owner's days stay. Returns the former
   * owner's running turn, for whose end the new owner must wait. A repeat counts nothing twice.
   */
  carryOver(session: OwnedId & { readonly inheritedFrom: string }): Promise<string | undefined>
}
