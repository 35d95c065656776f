// A fixed set of known tokens: for tests and simulations where the identity matters and its proof does not.
import type { Clock } from '#ports/clock/port.ts'
import type { TokenRefusal, TokenVerifier, VerifiedToken } from '#ports/token-verifier/port.ts'

export interface KnownToken extends VerifiedToken {
  readonly validFrom?: number
  /** Refuses the token at any time, with this reason. */
  readonly refusal?: TokenRefusal
}

export function memoryTokenVerifier(parts: {
  readonly clock: Clock
  readonly tokens: ReadonlyMap<string, KnownToken>
}): TokenVerifier {
  const { clock, tokens } = parts
  return {
    async verify(given) {
      const known = tokens.get(given)
      if (known === undefined) return { kind: 'refused', reason: 'token-malformed' }
      const { refusal, validFrom, ...token } = known
      const now = clock.now()
      if (refusal !== undefined) return { kind: 'refused', reason: refusal }
      if (now >= token.expiresAt) return { kind: 'refused', reason: 'token-expired' }
      if (validFrom !== undefined && now < validFrom) return { kind: 'refused', reason: 'token-not-yet-valid' }
      return { kind: 'verified', token }
    },
  }
}
