// Who sends a request, proved by a verified token or a signed cookie. Sessions, turns and idempotency keys belong to a principal.
import { isDemoPrincipal } from './demo-members.ts'

export interface Principal {
  /** Unique, such as `guest_…`; never taken from a request's body, and never sent to telemetry. */
  readonly id: string
  /** `user`: identified by a token of a configured issuer; `key`: a program with an API key. */
  readonly kind: 'guest' | 'user' | 'key'
  /** The name of its limits in the configuration. */
  readonly tier: string
  /** What its use is booked under in the ledger; only keys have one: that of the request, else the key's own. */
  readonly tag?: string
}

/** The tier of guests, and of the limits that their address has. */
export const GUEST_TIER = 'free'

/** Without a proof of a person: a guest, or a member of the demo, whom every visitor can be. They share the limits of their address. */
export const isUnproven = ({ id, kind }: Pick<Principal, 'id' | 'kind'>): boolean =>
  kind === 'guest' || (kind === 'user' && isDemoPrincipal(id))

/** Few and short, because the ledger is summed by them. */
export const TAG_PATTERN = '^[\\w.:/-]{1,64}$'

/** The principal id for house calls, in the ledger and for the shop's own budget. */
export const SHOP = 'shop'
