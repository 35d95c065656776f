// What must be decided atomically for a principal: rates, budgets, idempotency, and which turn a session is
// busy with. `admit` checks everything and takes everything, or refuses and takes nothing. What it takes is a
// hold: a lease that is narrowed once the prompt is known, renewed while the turn runs, settled exactly once
// to what was really used, and given back by itself when its owner died.
import type { Day } from '#domain/budget/day.ts'
import type { Amounts, Hold, QuotaScope, QuotaState, RateScope, TierLimits } from '#domain/budget/quota.ts'

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
  /**
   * Whether the key may have been sent before: `certain` when the sender says so, `possible` when it does not say. Absent: this is
   * the first sending, and nobody else can have admitted it.
   */
  readonly repeat?: 'possible' | 'certain'
  /** When the question came in, by the node's clock. */
  readonly arrivedAt?: number
  /** Set when the account is of so many users together, such as those behind one network address. */
  readonly users?: number
  /** The request's ceiling. What is granted is this or what is left, whichever is less. */
  readonly ask: Amounts
  readonly leaseMs: number
}

/** What a key that is claimed leads to. */
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
  /** What is known of the principal is away, and what may be granted without knowing is used up. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }

/** A hold or a session, named with whose it is, which says where it lives. */
export interface OwnedId {
  readonly id: string
  readonly principalId: string
}

export interface SettleResult {
  /** False when it had been settled before: nothing was charged again. */
  readonly charged: boolean
  /**
   * More was used than the hold still covered, because a provider overshot or the hold had expired. A repeat is answered
   * as the first time.
   */
  readonly overage: boolean
  /** By this charge, and no other, what the principal spent in the day went past `alarmMicroUsd`. */
  readonly alarm?: true
}

/** What a settlement does besides charging. */
export interface SettleTerms {
  /** The idempotency claim ends so long from now; undefined: when it was to end anyway. */
  readonly claimMs?: number | undefined
  /** The result says when this charge takes the day's spend past it. */
  readonly alarmMicroUsd?: number
}

/** What was used of a day or of a session, which an operator takes back. */
export type UseToReset =
  | { readonly principalId: string; readonly day: Day }
  | { readonly principalId: string; readonly sessionId: string }

export interface Budgets {
  admit(ask: AdmissionAsk): Promise<AdmissionAnswer>
  /** What the key of a question leads to; undefined while nobody has claimed it. Changes nothing. */
  claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>): Promise<Claimed | undefined>
  /**
   * Makes a key lead to a turn that was granted elsewhere while this state could not be reached, whatever it led to before: that
   * turn's asker has been answered. Its charge follows with `settle`. A repeat changes nothing.
   */
  claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): Promise<void>
  /** Reduces a hold to what the prompt needs, never raising any part of it; false when the hold is gone. */
  narrow(hold: OwnedId, to: Amounts): Promise<boolean>
  /**
   * Raises a hold to at least `to` in every part, if every scope has room for what that adds; otherwise nothing changes
   * and the answer is false, as it is when the hold is gone. A repeat finds it raised and adds nothing.
   */
  extend(hold: Hold, to: Amounts, limits: TierLimits): Promise<boolean>
  /** Keeps a hold for another `leaseMs`; false when it is gone. */
  renew(hold: OwnedId, leaseMs: number): Promise<boolean>
  /**
   * Charges what was used to the admission day and the session, once, also when the admission was released before: a release may
   * be executed after the same turn was granted again.
   */
  settle(hold: Hold, used: Amounts, terms?: SettleTerms): Promise<SettleResult>
  /**
   * Counts what was used so far as nothing, and answers what that was. Holds stay as they are: what they come to use is
   * charged in full. The day's messages become those that are held.
   */
  reset(use: UseToReset): Promise<Amounts>
  /** Undoes an admission: its hold is given back and its idempotency claim is forgotten. Once it is settled nothing changes. */
  release(hold: OwnedId): Promise<void>
  /** Lets the key of a turn be used for another, because its answer was deleted. Hold and charge stay as they are. */
  forgetClaim(hold: OwnedId): Promise<void>
  quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState>
  /** The turn that a session is busy with, its former owner's included. */
  runningTurn(session: OwnedId & { readonly inheritedFrom?: string }): Promise<string | undefined>
  /**
   * Lets what a former owner used of a session count for its owner; the former owner's days stay as they are. Answers the
   * former owner's turn that it is still busy with, until whose end the owner has to wait. A repeat counts nothing twice.
   */
  carryOver(session: OwnedId & { readonly inheritedFrom: string }): Promise<string | undefined>
}
