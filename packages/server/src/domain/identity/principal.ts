// Who is asking, as proved by a verified token. Sessions, turns and idempotency keys belong to one.

export interface Principal {
  /** Unique, such as `guest_…`; never taken from a request's body, and never told to telemetry. */
  readonly id: string
  /** `user`: of an issuer of tokens; `key`: a program with an API key. */
  readonly kind: 'guest' | 'user' | 'key'
  /** The name of its limits in the configuration. */
  readonly tier: string
}

/** Who pays for what no shopper asked for: in the ledger, and where its own budget is held. */
export const SHOP = 'shop'
