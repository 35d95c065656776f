// Carts in memory: for tests and simulations, and the oracle of the other adapters.
import { adoption, cartOf, editCart, editedBy, EMPTY_CART } from '#domain/commerce/cart.ts'
import type { CartEdited, CartOperation, StoredCart } from '#domain/commerce/cart.ts'
import type { Carts } from '#ports/carts/port.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface MemoryCartsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** How long a cart is stored after its last change. */
  readonly keepMs: number
}

export function memoryCarts({ clock, keepMs }: MemoryCartsOptions): Carts {
  const kept = new Map<string, { readonly stored: StoredCart; readonly expiresAt: number }>()
  const of = (principalId: string): StoredCart => {
    const found = kept.get(principalId)
    return found === undefined || found.expiresAt <= clock.now() ? EMPTY_CART : found.stored
  }
  const edit = (principalId: string, operation: CartOperation): CartEdited => {
    const before = of(principalId)
    const change = editCart(before, operation)
    if (change.kind === 'edited') kept.set(principalId, { stored: change.stored, expiresAt: clock.now() + keepMs })
    return editedBy(change, before)
  }
  return {
    read: async (principalId) => cartOf(of(principalId)),
    edit: async (principalId, operation) => edit(principalId, operation),
    async adopt(guestId, userId) {
      const guest = of(guestId)
      if (guest.lines.length > 0) edit(userId, adoption(guestId, guest))
      kept.delete(guestId)
    },
    async forget(principalId) {
      const { lines } = of(principalId)
      kept.delete(principalId)
      return lines.length
    },
    async sweep(limit) {
      const expired = [...kept].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit)
      for (const [principalId] of expired) kept.delete(principalId)
      return expired.length
    },
  }
}
