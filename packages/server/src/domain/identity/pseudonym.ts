// Pseudonyms in the ledger for principals whose data was erased: random, so that they cannot be traced back. The pseudonym of a
// guest still shows that it was a guest.
import { SHOP } from './principal.ts'

const ERASED = '~erased_'
const ERASED_GUEST = 'guest_~erased_'

export function newPseudonym(principalId: string, drawn: string): string {
  return `${principalId.startsWith('guest_') ? ERASED_GUEST : ERASED}${drawn}`
}

export const isErased = (principalId: string): boolean =>
  principalId.startsWith(ERASED) || principalId.startsWith(ERASED_GUEST)

/** True also for the shop, which is not a person. */
export const isPseudonym = (principalId: string): boolean => principalId === SHOP || isErased(principalId)
