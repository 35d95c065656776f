// Verifies that a token was made by a trusted issuer, for us, and is valid now. The result is all that the program ever
// takes from a token; no other code reads one.

/** Why a token is refused; sent to its bearer, so it reveals nothing about keys or people. */
export type TokenRefusal =
  | 'token-malformed'
  | 'token-too-long'
  | 'token-issuer-unknown'
  | 'token-algorithm'
  | 'token-key-unknown'
  | 'token-signature'
  | 'token-claims'
  | 'token-audience'
  | 'token-expired'
  | 'token-not-yet-valid'

export interface VerifiedToken {
  /** As configured and as in the token. */
  readonly issuer: string
  /** The issuer's id of the person; means nothing without the issuer. */
  readonly subject: string
  /** The bearer's tiers in the issuer's words; empty when the token has none. */
  readonly tiers: readonly string[]
  /** The values of the claim that names roles of operators; empty when the token has none. */
  readonly operatorValues: readonly string[]
  /** The expiry in the time of `now`, including the permitted clock skew. */
  readonly expiresAt: number
}

export type Verification =
  | { readonly kind: 'verified'; readonly token: VerifiedToken }
  | { readonly kind: 'refused'; readonly reason: TokenRefusal }
  /** The issuer's keys cannot be fetched, so the token can be neither accepted nor refused. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }

export interface TokenVerifier {
  /** Never throws for any input. */
  verify(token: string): Promise<Verification>
}
