// Runs the contract of the carts on memory.
import { CART_KEEP_MS, cartsContract } from '#ports/carts/contract.ts'
import { memoryCarts } from './carts.ts'

cartsContract('memory carts', async (_context, clock) => {
  const carts = memoryCarts({ clock, keepMs: CART_KEEP_MS })
  return { carts, reopen: async () => carts }
})
