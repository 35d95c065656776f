// Who sends a request, proved by a verified token or a signed cookie. Sessions, turns and idempotency keys belong to a principal.

export interface Principal {
  /** Unique, such as `guest_…`; never taken from a request's body, and never sent to telemetry. */
  readonly id: string
  /** `user`: identified by a token of a configured issuer; `key`: a program with an API key. */
  readonly kind: 'guest' | 'user' | 'key'
  /** The name of its limits in the configuration. */
  readonly tier: string
}

/** The principal id for house calls, in the ledger and for the shop's own budget. */
export const SHOP = 'shop'
