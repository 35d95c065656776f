// Who may use the admin API. Operators have tokens of their own, which open nothing else, and names, which the audit
// records. No shopper's token, key or cookie makes a caller an operator.
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

export interface Admin {
  /** The name in the audit. */
  readonly name: string
}

export interface AdminToken extends Admin {
  /** `sha256:` and the digest in hex. */
  readonly hash: string
}

/** Throws UNAUTHENTICATED for every other caller, without a reason. */
export type IdentifyAdmin = (authorization: string | undefined) => Admin

const BEARER = /^bearer +(\S+)$/i

export function createAdmins(tokens: readonly AdminToken[]): IdentifyAdmin {
  const names = new Map(tokens.map(({ hash, name }) => [hash, name]))
  return (authorization) => {
    const [, token] = BEARER.exec(authorization ?? '') ?? []
    const name = token === undefined ? undefined : names.get(secretHash(token))
    if (name === undefined) throw new Refusal('UNAUTHENTICATED', { details: { reason: 'admin-token' } })
    return { name }
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
