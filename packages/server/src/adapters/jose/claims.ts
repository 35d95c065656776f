// Checks the claims of a token whose signature is valid: audience, validity period, subject. Times are compared with the
// machine's clock as it is set, so that one set wrongly and corrected refuses no token for longer.
// Used by `token-verifier.ts`.
import type { TokenRefusal, VerifiedToken } from '#ports/token-verifier/port.ts'

export interface ClaimRules {
  readonly issuer: string
  /** Undefined accepts every audience. */
  readonly audience?: string
  readonly subjectClaim: string
  readonly tierClaim: string
  /** Undefined where the issuer has no operators. */
  readonly operatorClaim?: string
  readonly clockSkewMs: number
}

type Claims = Readonly<Record<string, unknown>>

/** The limit of OpenID Connect. */
const SUBJECT_LENGTH_MAX = 255
const VALUES_MAX = 64
const SECOND_MS = 1000

export function judgeClaims(claims: Claims, rules: ClaimRules, now: number): VerifiedToken | TokenRefusal {
  const { audience, clockSkewMs, issuer } = rules
  const subject = claims[rules.subjectClaim]
  const endsAt = timeOf(claims['exp'])
  if (claims['iss'] !== issuer) return 'token-issuer-unknown'
  if (typeof subject !== 'string' || !isSubject(subject)) return 'token-claims'
  // A token that never expires could not be revoked.
  if (endsAt === undefined || !hasSoundTimes(claims)) return 'token-claims'
  if (audience !== undefined && ![claims['aud']].flat().includes(audience)) return 'token-audience'
  const expiresAt = endsAt + clockSkewMs
  if (now >= expiresAt) return 'token-expired'
  const beginsAt = Math.max(timeOf(claims['nbf']) ?? 0, timeOf(claims['iat']) ?? 0)
  if (now < beginsAt - clockSkewMs) return 'token-not-yet-valid'
  const operatorValues = rules.operatorClaim === undefined ? [] : valuesIn(claims[rules.operatorClaim])
  return { issuer, subject, tiers: valuesIn(claims[rules.tierClaim]), operatorValues, expiresAt }
}

function isSubject(text: string): boolean {
  return text !== '' && text.length <= SUBJECT_LENGTH_MAX && text.isWellFormed()
}

function hasSoundTimes(claims: Claims): boolean {
  return ['nbf', 'iat'].every((name) => claims[name] === undefined || timeOf(claims[name]) !== undefined)
}

function timeOf(claim: unknown): number | undefined {
  return typeof claim === 'number' && Number.isFinite(claim) ? claim * SECOND_MS : undefined
}

function valuesIn(claim: unknown): readonly string[] {
  return [claim]
    .flat()
    .slice(0, VALUES_MAX)
    .filter((value) => typeof value === 'string')
}
