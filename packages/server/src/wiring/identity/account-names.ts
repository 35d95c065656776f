// The names under which the accounts of principals are stored: keyed digests, with a key that stays with the stores, so that every
// node computes the same name and the id cannot be derived from it.
import { sign } from '#edge/identity/signature.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'

export const ACCOUNT_PREFIX = 'acct_'
const USE = 'ma_account'
const NAME_LENGTH = 32
/** Size of the cache: admission needs the same few names several times, and a keyed digest costs more than a lookup. */
const NAMES_MAX = 10_000

export function accountNamer(key: Uint8Array): (principalId: string) => string {
  const names = new BoundedMap<string, string>(NAMES_MAX)
  return (principalId) => {
    const known = names.get(principalId)
    if (known !== undefined) return known
    const digest = Buffer.from(sign(USE, principalId, [key]), 'base64url').toString('hex')
    const name = `${ACCOUNT_PREFIX}${digest.slice(0, NAME_LENGTH)}`
    names.set(principalId, name)
    return name
  }
}
