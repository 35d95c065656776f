// Carts that the nodes share: one string for each principal, on the principal's slot, with the lines as arrays. The script of an edit is
// the rule of `domain/commerce/cart.ts`, and a test compares both. A cart that is not changed expires by itself.
import {
  adoption,
  CART_LINES_MAX,
  CART_OPERATIONS_MAX,
  CART_QUANTITY_MAX,
  packedLine,
  unpackedLine,
} from '#domain/commerce/cart.ts'
import type { Cart, CartEdited, CartLimit, CartOperation, PackedLine, StoredCart } from '#domain/commerce/cart.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Carts } from '#ports/carts/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisCartsOptions {
  readonly redis: Redis
  /** How long a cart is stored after its last change. */
  readonly keepMs: number
}

/** How often an adoption reads the guest's cart again because another tab has changed it. */
const ADOPTIONS_MAX = 5

/** The expiry is stored too, because a test has a clock of its own. */
export const CART_PRELUDE = `local text = redis.call('GET', KEYS[1])
local cart = text and cjson.decode(text)
if cart and cart.expiresAt <= now then text, cart = false, false end
`

const READ = script('cart-read', `${CART_PRELUDE}return text or ''`)

/** KEYS: cart. ARGV from 2: keepMs, operation id, edits as [kind, productId, volume, quantity, seenYen]. */
const EDIT = script(
  'cart-edit',
  `${CART_PRELUDE}cart = cart or { version = 0, lines = {}, operations = {} }
for _, id in ipairs(cart.operations) do
  if id == ARGV[3] then return { 'repeated', '', text } end
end
local lines, at, count, before = cart.lines, {}, #cart.lines, #cart.lines
for index, line in ipairs(lines) do at[line[1] .. ':' .. line[2]] = index end
for _, edit in ipairs(cjson.decode(ARGV[4])) do
  local kind, product, volume, given, seen = edit[1], edit[2], edit[3], edit[4], edit[5]
  local id = product .. ':' .. volume
  local line = at[id] and lines[at[id]] or { product, volume, 0, seen }
  local had, quantity = line[3], given
  if kind == 'add' then quantity = had + given end
  if kind == 'take' then quantity = math.max(0, had - given) end
  if kind == 'keep' then quantity = math.max(had, given) end
  if not (kind == 'keep' and had == 0 and count >= ${CART_LINES_MAX}) then
    if quantity > ${CART_QUANTITY_MAX} and quantity > had then return { 'full', 'quantity', text or '' } end
    if had == 0 and quantity > 0 then count = count + 1 end
    if had > 0 and quantity == 0 then count = count - 1 end
    if had == 0 or kind == 'add' or kind == 'set' then line[4] = seen end
    line[3] = quantity
    if not at[id] then
      lines[#lines + 1] = line
      at[id] = #lines
    end
  end
end
if count > ${CART_LINES_MAX} and count > before then return { 'full', 'lines', text or '' } end
local kept = {}
for _, line in ipairs(lines) do
  if line[3] > 0 then kept[#kept + 1] = line end
end
cart.lines, cart.version = kept, cart.version + 1
cart.operations[#cart.operations + 1] = ARGV[3]
if #cart.operations > ${CART_OPERATIONS_MAX} then table.remove(cart.operations, 1) end
cart.expiresAt = now + tonumber(ARGV[2])
local after = cjson.encode(cart)
redis.call('SET', KEYS[1], after, 'PX', ARGV[2])
return { 'edited', '', after }`,
)

/** KEYS: cart. ARGV from 2: the version, or nothing for any. Returns the removed cart, or nothing. */
const REMOVE = script(
  'cart-remove',
  `${CART_PRELUDE}if not cart then return '' end
if ARGV[2] ~= '' and cart.version ~= tonumber(ARGV[2]) then return '' end
redis.call('DEL', KEYS[1])
return text`,
)

export function redisCarts({ keepMs, redis }: RedisCartsOptions): Carts {
  async function read(principalId: string): Promise<Cart> {
    return parsed(String(await redis.run(READ, [cartKey(principalId)], [])))
  }

  async function edit(principalId: string, { edits, id }: CartOperation): Promise<CartEdited> {
    const given = edits.map((one) => [one.kind, one.productId, one.volume, one.quantity, one.seenYen])
    const reply = await redis.run(EDIT, [cartKey(principalId)], [keepMs, id, JSON.stringify(given)])
    const [kind, limit, text] = reply as readonly [CartEdited['kind'], CartLimit, string]
    const cart = parsed(text)
    return kind === 'full' ? { kind, limit, cart } : { kind, cart }
  }

  return {
    read,
    edit,
    // Guest and user are on different slots: the guest's cart is removed when the user has its lines, and only as it was read.
    async adopt(guestId, userId) {
      for (let tries = 0; tries < ADOPTIONS_MAX; tries += 1) {
        const guest = await read(guestId)
        if (guest.version === 0) return
        if (guest.lines.length > 0) await edit(userId, adoption(guestId, guest))
        if ((await redis.run(REMOVE, [cartKey(guestId)], [guest.version])) !== '') return
      }
      throw new StoreUnavailable('the guest’s cart is changed all the time', { mayHaveHappened: true })
    },
    async forget(principalId) {
      return parsed(String(await redis.run(REMOVE, [cartKey(principalId)], ['']))).lines.length
    },
    sweep: async () => 0,
  }
}

/** Lua cannot tell an empty array from an empty object, and writes the latter. */
function parsed(text: string): Cart {
  if (text === '') return { version: 0, lines: [] }
  const { lines, version } = JSON.parse(text) as { version: number; lines: readonly PackedLine[] | object }
  const stored: readonly PackedLine[] = Array.isArray(lines) ? lines : []
  return { version, lines: stored.map(unpackedLine) }
}

/** The cart as a script writes it. */
export function cartText({ lines, operations, version }: StoredCart, expiresAt: number): string {
  return JSON.stringify({ version, lines: lines.map(packedLine), operations, expiresAt })
}

export const cartKey = (principalId: string): string => `ma:{user:${encodeURIComponent(principalId)}}:cart`
