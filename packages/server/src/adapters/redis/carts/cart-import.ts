// Stores carts of another store in Redis as `carts.ts` would have written them, with their versions, their last operations and their
// expiry. A cart that exists is newer and stays. For `mangaassist migrate`.
import type { CartImport } from '#ports/migration/imports.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { CART_PRELUDE, cartKey, cartText } from './carts.ts'

/** KEYS: cart. ARGV from 2: the cart, when it expires. */
const IMPORT = script(
  'cart-import',
  `${CART_PRELUDE}local leftMs = tonumber(ARGV[3]) - now
if cart or leftMs <= 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', leftMs)
return 1`,
)

export function redisCartImport({ redis }: { readonly redis: Pick<Redis, 'run'> }): CartImport {
  return {
    async add({ cart, expiresAt, principalId }) {
      await redis.run(IMPORT, [cartKey(principalId)], [cartText(cart, expiresAt), expiresAt])
    },
  }
}
