// The cart of a principal, guest or user. An operation is applied once by its id, so that a request that is sent again after a lost reply
// adds nothing twice. Prices are read from the product store when a cart is shown; a cart that is not changed for some time expires.
import type { Cart, CartEdited, CartOperation } from '#domain/commerce/cart.ts'

export interface Carts {
  /** Empty, of version 0, for a principal who has none. */
  read(principalId: string): Promise<Cart>
  /** Applies all edits or none. Durable when it resolves. */
  edit(principalId: string, operation: CartOperation): Promise<CartEdited>
  /** The user gets the guest's lines, each with the larger quantity of both carts; the guest's cart is gone. Idempotent. */
  adopt(guestId: string, userId: string): Promise<void>
  /** Removes the cart; returns the number of its lines. */
  forget(principalId: string): Promise<number>
  /** Removes at most so many expired carts, and returns how many; 0 where they expire by themselves. */
  sweep(limit: number): Promise<number>
}
