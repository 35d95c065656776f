// The names under which accounts of principals are stored: by a key that stays with the stores, so that every node makes the same
// and nobody works an id out of one.
import { sign } from '#edge/identity/signature.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'

export const ACCOUNT_PREFIX = 'acct_'
const USE = 'ma_account'
const NAME_LENGTH = 32
/** Admission asks several times for the same few: a keyed digest for each would cost more than a look. */
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
