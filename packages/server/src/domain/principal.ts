// Who is asking, as proved by a verified token. Sessions, turns and idempotency keys belong to one.

export interface Principal {
  /** Unique and opaque, such as `guest_…`; never taken from a request's body. */
  readonly id: string
  readonly kind: 'guest' | 'user' | 'service'
  /** The name of its limits in the configuration. */
  readonly tier: string
}

/** Who pays for what no shopper asked for: in the ledger, and where its own budget is held. */
export const SHOP = 'shop'
