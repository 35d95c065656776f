// The bearer of a token or an API key, and its tier. An invalid credential is refused with the reason and never makes a
// guest. The ids are namespaced, so that users of two issuers are never one.
import { createHash } from 'node:crypto'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TokenVerifier, VerifiedToken } from '#ports/token-verifier/port.ts'

/** The part of an issuer that the doors need. */
interface BearerIssuer {
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Part of its users' ids. */
  readonly name: string
  /** Maps the issuer's names of tiers to ours; a name without an entry is used as it is. */
  readonly tiers: Readonly<Record<string, string>>
  /** Tier of a token that names no existing tier. */
  readonly defaultTier: string
}

interface ApiKey {
  readonly name: string
  /** `sha256:` and the digest in hex. */
  readonly hash: string
  readonly tier: string
  readonly tag?: string
}

export interface BearerParts {
  readonly verifier: TokenVerifier | undefined
  readonly issuers: readonly BearerIssuer[]
  readonly apiKeys: readonly ApiKey[]
  /** The existing tiers. */
  readonly tiers: ReadonlySet<string>
  readonly telemetry: Telemetry
}

export interface Proved {
  readonly principal: Principal
  /** Expiry; undefined for never. */
  readonly expiresAt?: number
}

const SUBJECT_LENGTH_MAX = 128

/** Throws UNAUTHENTICATED, or MAINTENANCE while the credential cannot be checked. */
export type Bearer = (token: string) => Promise<Proved>

export function createBearer({ apiKeys, issuers, telemetry, tiers, verifier }: BearerParts): Bearer {
  const keys = new Map(apiKeys.map((key) => [key.hash, key]))
  const known = new Map(issuers.map((issuer) => [issuer.issuer, issuer]))
  const logged = new Set<string>()

  function tierOf(issuer: BearerIssuer, { tiers: said }: VerifiedToken): string {
    const names = said.map((word) => (Object.hasOwn(issuer.tiers, word) ? (issuer.tiers[word] ?? word) : word))
    const tier = names.find((name) => tiers.has(name))
    if (tier !== undefined || said.length === 0) return tier ?? issuer.defaultTier
    telemetry.count('auth_tier_unknown_total', { issuer: issuer.name })
    const fields = { issuer: issuer.name, defaultTier: issuer.defaultTier }
    if (!logged.has(issuer.name)) telemetry.log('warn', 'auth.tier-unknown', fields)
    logged.add(issuer.name)
    return issuer.defaultTier
  }

  async function bearerOfToken(given: string): Promise<Proved> {
    const verification = (await verifier?.verify(given)) ?? refusedByAll
    if (verification.kind === 'unavailable') {
      const { retryAfterMs } = verification
      throw new Refusal('MAINTENANCE', { retryAfterMs, details: { reason: 'issuer-unreachable' } })
    }
    if (verification.kind === 'refused') throw unauthenticated(verification.reason)
    const { token } = verification
    const issuer = known.get(token.issuer)
    if (issuer === undefined) throw unauthenticated('token-issuer-unknown')
    const id = `user:${issuer.name}:${subjectInId(token.subject)}`
    return { principal: { id, kind: 'user', tier: tierOf(issuer, token) }, expiresAt: token.expiresAt }
  }

  return async (given) => {
    // A JSON Web Token has dots; a key has none.
    if (given.includes('.')) return bearerOfToken(given)
    const key = keys.get(secretHash(given))
    if (key === undefined) throw unauthenticated('key-unknown')
    const { name, tag, tier } = key
    return { principal: { id: `key:${name}`, kind: 'key', tier, ...(tag === undefined ? {} : { tag }) } }
  }
}

/** Readable, without characters that have a meaning elsewhere; a very long subject becomes its digest, marked by `=`. */
function subjectInId(subject: string): string {
  const encoded = encodeURIComponent(subject)
  if (encoded.length <= SUBJECT_LENGTH_MAX) return encoded
  return `=${createHash('sha256').update(subject).digest('base64url')}`
}

const refusedByAll = { kind: 'refused', reason: 'token-issuer-unknown' } as const

function unauthenticated(reason: string): Refusal {
  return new Refusal('UNAUTHENTICATED', { details: { reason } })
}
