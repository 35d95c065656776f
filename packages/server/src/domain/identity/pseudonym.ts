// Names in the books for those who are not to be known any more: drawn by chance, so that nothing leads back. A guest's still
// shows that it was a guest's.
import { SHOP } from './principal.ts'

const ERASED = '~erased_'
const ERASED_GUEST = 'guest_~erased_'

export function newPseudonym(principalId: string, drawn: string): string {
  return `${principalId.startsWith('guest_') ? ERASED_GUEST : ERASED}${drawn}`
}

export const isErased = (principalId: string): boolean =>
  principalId.startsWith(ERASED) || principalId.startsWith(ERASED_GUEST)

/** Also of the shop itself, which is nobody. */
export const isPseudonym = (principalId: string): boolean => principalId === SHOP || isErased(principalId)
