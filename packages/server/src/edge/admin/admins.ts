// Who may use the admin API by a token. Operators have tokens of their own, which open nothing else, names, which the audit
// records, and roles. No shopper's token, key or cookie makes a caller an operator.
import type { Role } from '@mangaassist/protocol/admin'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

export interface Admin {
  /** The name in the audit. */
  readonly name: string
  readonly role: Role
}

export interface AdminToken extends Admin {
  /** `sha256:` and the digest in hex. */
  readonly hash: string
}

/** Throws UNAUTHENTICATED for every other caller, without a reason. */
export type IdentifyAdmin = (authorization: string | undefined) => Admin

const BEARER = /^bearer +(\S+)$/i

export function createAdmins(tokens: readonly AdminToken[]): IdentifyAdmin {
  const known = new Map(tokens.map(({ hash, name, role }) => [hash, { name, role }]))
  return (authorization) => {
    const [, token] = BEARER.exec(authorization ?? '') ?? []
    const admin = token === undefined ? undefined : known.get(secretHash(token))
    if (admin === undefined) throw new Refusal('UNAUTHENTICATED', { details: { reason: 'admin-token' } })
    return admin
  }
}

export function operatorTest(identifyAdmin: IdentifyAdmin): (authorization: string | undefined) => boolean {
  return (authorization) => {
    try {
      return identifyAdmin(authorization).name !== ''
    } catch {
      return false
    }
  }
}
