// Issues the tokens of the demo's members, signed with a secret of this installation. They are ordinary tokens: `token-verifier.ts`
// verifies them as it does those of a real issuer, which is the point of trying members in the demo.
import { SignJWT } from 'jose'
import { DEMO_ISSUER } from '#domain/identity/demo-members.ts'
import { demoSubject } from '#domain/identity/demo-subject.ts'
import type { DemoSignIn } from '#domain/identity/demo-members.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { TokenIssuer } from './token-verifier.ts'

export const DEMO_TOKEN_MS = 2 * 3_600_000

const ALGORITHM = 'HS256'
const AUDIENCE = 'mangaassist-demo'

/** The demo's issuer, for the token verifier. */
export function demoTokenIssuer(secret: Uint8Array): TokenIssuer {
  return {
    issuer: DEMO_ISSUER,
    audience: AUDIENCE,
    algorithms: [ALGORITHM],
    keys: { secret },
    subjectClaim: 'sub',
    tierClaim: 'tier',
    clockSkewMs: 0,
  }
}

export function demoTokens(secret: Uint8Array, clock: Pick<Clock, 'machineTime'>): DemoSignIn['tokenOf'] {
  return (member, visitor) => {
    const seconds = Math.floor(clock.machineTime() / 1000)
    return new SignJWT({ tier: member.tier })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(DEMO_ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(demoSubject(member, visitor))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + DEMO_TOKEN_MS / 1000)
      .sign(secret)
  }
}
