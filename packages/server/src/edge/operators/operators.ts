// The operators that the configuration names: holders of admin tokens, and people to whom an issuer's token gives a role. A
// session stores the proof by which its operator signed in; the proof is compared with the configuration at every request, so an
// entry that is removed or changed ends its sessions, and a changed role counts at once.
import { ROLES } from '@mangaassist/protocol/admin'
import type { Role } from '@mangaassist/protocol/admin'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { TokenVerifier } from '#ports/token-verifier/port.ts'
import type { Admin, AdminToken } from '../admin/admins.ts'

/** The part of an issuer that signing in needs. */
export interface OperatorIssuer {
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Part of its operators' names. */
  readonly name: string
  /** Maps values of the issuer's claim to roles. */
  readonly roles: Readonly<Record<string, Role>>
}

export interface OperatorsParts {
  readonly tokens: readonly AdminToken[]
  readonly issuers: readonly OperatorIssuer[]
  readonly verifier: TokenVerifier | undefined
}

/** How an operator signed in: enough to find the entry of the configuration again, and no secret. */
export type OperatorProof =
  | { readonly by: 'token'; readonly name: string; readonly digest: string }
  | { readonly by: 'issuer'; readonly issuer: string; readonly subject: string; readonly value: string }

export interface Operators {
  /** Throws UNAUTHENTICATED; FORBIDDEN for a person without a role; MAINTENANCE while a token cannot be checked. */
  prove(token: string): Promise<OperatorProof>
  /** Undefined when the configuration no longer has the operator. */
  operatorOf(proof: OperatorProof): Admin | undefined
}

export function createOperators({ issuers, tokens, verifier }: OperatorsParts): Operators {
  const byHash = new Map(tokens.map((token) => [token.hash, token]))
  const byIssuer = new Map(issuers.map((issuer) => [issuer.issuer, issuer]))
  const byName = new Map(issuers.map((issuer) => [issuer.name, issuer]))

  async function proveByIssuer(token: string): Promise<OperatorProof> {
    const verification =
      (await verifier?.verify(token)) ?? ({ kind: 'refused', reason: 'token-issuer-unknown' } as const)
    if (verification.kind === 'unavailable') {
      const { retryAfterMs } = verification
      throw new Refusal('MAINTENANCE', { retryAfterMs, details: { reason: 'issuer-unreachable' } })
    }
    if (verification.kind === 'refused')
      throw new Refusal('UNAUTHENTICATED', { details: { reason: verification.reason } })
    const { issuer, operatorValues, subject } = verification.token
    const found = byIssuer.get(issuer)
    const value = found === undefined ? undefined : highest(found, operatorValues)
    if (found === undefined || value === undefined)
      throw new Refusal('FORBIDDEN', { details: { reason: 'no-operator-role' } })
    return { by: 'issuer', issuer: found.name, subject, value }
  }

  return {
    async prove(token) {
      const hash = secretHash(token)
      const known = byHash.get(hash)
      if (known !== undefined) return { by: 'token', name: known.name, digest: digestOf(hash) }
      // A JSON Web Token has dots; an admin token of keygen has none.
      if (token.includes('.') && issuers.length > 0) return proveByIssuer(token)
      throw new Refusal('UNAUTHENTICATED', { details: { reason: 'admin-token' } })
    },
    operatorOf(proof) {
      if (proof.by === 'token') {
        const { digest, name } = proof
        const known = tokens.find((token) => token.name === name && digestOf(token.hash) === digest)
        return known === undefined ? undefined : { name, role: known.role }
      }
      const issuer = byName.get(proof.issuer)
      const role = issuer === undefined ? undefined : roleFor(issuer, proof.value)
      return role === undefined ? undefined : { name: `${proof.issuer}:${inName(proof.subject)}`, role }
    },
  }
}

/** The subject as the issuer writes it. Invisible characters are escaped, so that two different subjects never look the same. */
function inName(subject: string): string {
  return subject.replaceAll(/[\p{C}\p{Z}%]/gu, encodeURIComponent)
}

function roleFor({ roles }: OperatorIssuer, value: string): Role | undefined {
  return Object.hasOwn(roles, value) ? roles[value] : undefined
}

/** The value with the highest role. */
function highest(issuer: OperatorIssuer, values: readonly string[]): string | undefined {
  const rank = (value: string) => ROLES.indexOf(roleFor(issuer, value) ?? 'viewer')
  return values
    .filter((value) => roleFor(issuer, value) !== undefined)
    .toSorted((one, other) => rank(other) - rank(one))[0]
}

/** The digest of a token's digest: a cookie that leaks must not hold what the configuration compares tokens with. */
function digestOf(hash: string): string {
  return secretHash(hash).slice('sha256:'.length, 'sha256:'.length + 32)
}
