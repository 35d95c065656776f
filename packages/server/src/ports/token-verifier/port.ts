// Whether a token was really made by an issuer we trust, for us, and for now. What a verifier answers is all that the
// program ever takes from a token; nobody else looks into one.

/** Why a token proves nothing; told to its bearer, so it says nothing about keys or people. */
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
  /** As it is configured, and as the token says. */
  readonly issuer: string
  /** Of the issuer's people, which one: means nothing without the issuer. */
  readonly subject: string
  /** What the token says of the bearer's tier, in the issuer's words; empty when it says nothing. */
  readonly tiers: readonly string[]
  /** Until when it is good, the clock skew that is forgiven included. */
  readonly expiresAt: number
}

export type Verification =
  | { readonly kind: 'verified'; readonly token: VerifiedToken }
  | { readonly kind: 'refused'; readonly reason: TokenRefusal }
  /** It cannot be judged now, because the issuer's keys cannot be had: neither good nor bad. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }

export interface TokenVerifier {
  /** Never throws for anything that a bearer can send. */
  verify(token: string): Promise<Verification>
}
