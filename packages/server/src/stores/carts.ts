// The cart of a principal, guest or user. An operation is applied once by its id, so that a request that is sent again after a lost reply
// adds nothing twice. Prices are read from the product store when a cart is shown; a cart that is not changed for some time expires.
import { adoption, cartOf, editCart, editedBy, EMPTY_CART, packedLine, unpackedLine } from '#domain/commerce/cart.ts'
import type { Cart, CartEdited, CartOperation, PackedLine, StoredCart } from '#domain/commerce/cart.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { RecordChange, Kind, RecordStore } from '#ports/records/port.ts'

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

export interface CartOfPrincipal {
  readonly principalId: string
  readonly cart: StoredCart
  readonly expiresAt: number
}

/** A script of an older node writes an empty list as an object. */
type PackedCart = Omit<StoredCart, 'lines'> & { readonly lines: readonly PackedLine[] | object }

const packed = ({ cart }: CartOfPrincipal) => ({ ...cart, lines: cart.lines.map(packedLine) })

function unpacked(json: unknown): StoredCart {
  const { lines, operations, version } = json as PackedCart
  const listed: readonly PackedLine[] = Array.isArray(lines) ? lines : []
  return { version, lines: listed.map(unpackedLine), operations: Array.isArray(operations) ? operations : [] }
}

export const CARTS: Kind<CartOfPrincipal> = {
  name: 'carts',
  fields: ({ expiresAt, principalId }) => ({ principalId, expiresAt }),
  id: 'principalId',
  home: 'principalId',
  time: 'expiresAt',
  keepMs: 0,
  sqlite: {
    body: 'cart',
    pack: packed,
    unpack: (json, { expiresAt, principalId }) => ({
      principalId: String(principalId),
      expiresAt: Number(expiresAt),
      cart: unpacked(json),
    }),
  },
  redis: {
    value: (principalId) => `ma:{user:${encodeURIComponent(principalId)}}:cart`,
    pack: (stored) => ({ ...packed(stored), expiresAt: stored.expiresAt }),
    unpack: (json, { principalId }) => ({
      principalId: String(principalId),
      expiresAt: (json as CartOfPrincipal).expiresAt,
      cart: unpacked(json),
    }),
  },
}

/** How often an adoption reads the guest's cart again because another tab has changed it. */
const ADOPTIONS_MAX = 5

export interface CartsOptions {
  readonly records: RecordStore
  /** How long a cart is stored after its last change. */
  readonly keepMs: number
}

export function createCarts({ keepMs, records }: CartsOptions): Carts {
  const carts = records.open(CARTS)
  const own = (principalId: string) => ({ own: { by: 'principalId', is: principalId } })

  function edit(principalId: string, operation: CartOperation): Promise<CartEdited> {
    return carts.change(
      principalId,
      own(principalId),
      ({ own: [found] }, now): RecordChange<CartOfPrincipal, CartEdited> => {
        const before = found?.cart ?? EMPTY_CART
        const change = editCart(before, operation)
        const result = editedBy(change, before)
        if (change.kind !== 'edited') return { result }
        return { put: [{ principalId, cart: change.stored, expiresAt: now + keepMs }], result }
      },
    )
  }

  return {
    async read(principalId) {
      const [found] = await carts.list(principalId, { limit: 1 })
      return cartOf(found?.cart ?? EMPTY_CART)
    },
    edit,
    // Two homes: the guest's cart is removed when the user has its lines, and only as it was read.
    async adopt(guestId, userId) {
      for (let tries = 0; tries < ADOPTIONS_MAX; tries += 1) {
        const [guest] = await carts.list(guestId, { limit: 1 })
        if (guest === undefined) return
        if (guest.cart.lines.length > 0) await edit(userId, adoption(guestId, guest.cart))
        const isRemoved = await carts.change(guestId, own(guestId), ({ own: now }) => {
          const isSame = now[0]?.cart.version === guest.cart.version
          return { remove: isSame ? now : [], result: isSame }
        })
        if (isRemoved) return
      }
      throw new StoreUnavailable('the guest’s cart is changed all the time', { mayHaveHappened: true })
    },
    forget: (principalId) =>
      carts.change(principalId, own(principalId), ({ own: found }) => ({
        remove: found,
        result: found[0]?.cart.lines.length ?? 0,
      })),
    sweep: (limit) => carts.sweep(limit),
  }
}
