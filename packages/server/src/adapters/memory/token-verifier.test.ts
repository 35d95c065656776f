// Runs the contract of the token verifier on memory.
import {
  CONTRACT_AUDIENCE,
  CONTRACT_ISSUER,
  CONTRACT_SKEW_MS,
  tokenVerifierContract,
} from '#ports/token-verifier/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryTokenVerifier } from './token-verifier.ts'
import type { KnownToken } from './token-verifier.ts'

tokenVerifierContract('memory token verifier', async () => {
  const clock = manualClock()
  const tokens = new Map<string, KnownToken>()
  const verifier = memoryTokenVerifier({ clock, tokens })
  return {
    clock,
    verifier,
    async mint({ audience = CONTRACT_AUDIENCE, issuer = CONTRACT_ISSUER, ...claims }) {
      const name = `token-${tokens.size}.of.nobody-guesses-it`
      const {
        expiresAt = clock.now() + 3_600_000,
        issuedAt = 0,
        notBefore = 0,
        subject = 'one',
        tier = [],
        roles = [],
      } = claims
      tokens.set(name, {
        issuer,
        subject,
        tiers: typeof tier === 'string' ? [tier] : tier,
        operatorValues: typeof roles === 'string' ? [roles] : roles,
        expiresAt: expiresAt + CONTRACT_SKEW_MS,
        validFrom: Math.max(issuedAt, notBefore) - CONTRACT_SKEW_MS,
        ...(issuer === CONTRACT_ISSUER ? {} : { refusal: 'token-issuer-unknown' }),
        ...(audience === CONTRACT_AUDIENCE ? {} : { refusal: 'token-audience' }),
      })
      return name
    },
  }
})
