// Carts in SQLite: one row each, changed by the rule of `domain/commerce/cart.ts` inside one write.
import { adoption, cartOf, editCart, editedBy, EMPTY_CART, packedLine, unpackedLine } from '#domain/commerce/cart.ts'
import type { CartEdited, CartOperation, PackedLine, StoredCart } from '#domain/commerce/cart.ts'
import type { Carts } from '#ports/carts/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteCartsOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  /** How long a cart is stored after its last change. */
  readonly keepMs: number
}

const READ = 'SELECT cart FROM carts WHERE principal_id = ? AND expires_at > ?'
const WRITE = `INSERT INTO carts (principal_id, expires_at, cart) VALUES (?, ?, ?)
  ON CONFLICT (principal_id) DO UPDATE SET expires_at = excluded.expires_at, cart = excluded.cart`
const REMOVE = 'DELETE FROM carts WHERE principal_id = ?'
const SWEEP = `DELETE FROM carts WHERE principal_id IN
  (SELECT principal_id FROM carts WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`

/** As a row has it. */
export interface PackedCart extends Omit<StoredCart, 'lines'> {
  readonly lines: readonly PackedLine[]
}

const packed = ({ lines, ...cart }: StoredCart): PackedCart => ({ ...cart, lines: lines.map(packedLine) })

export const storedCart = ({ lines, ...cart }: PackedCart): StoredCart => ({ ...cart, lines: lines.map(unpackedLine) })

export function sqliteCarts({ clock, database, keepMs }: SqliteCartsOptions): Carts {
  const sql = (text: string) => database.statement(text)
  const of = (principalId: string): StoredCart => {
    const row = sql(READ).get(principalId, clock.now())
    return row === undefined ? EMPTY_CART : storedCart(JSON.parse(String(row['cart'])) as PackedCart)
  }
  const editNow = (principalId: string, operation: CartOperation): CartEdited => {
    const before = of(principalId)
    const change = editCart(before, operation)
    if (change.kind === 'edited')
      sql(WRITE).run(principalId, clock.now() + keepMs, JSON.stringify(packed(change.stored)))
    return editedBy(change, before)
  }
  return {
    read: async (principalId) => cartOf(of(principalId)),
    edit: (principalId, operation) => database.write(() => editNow(principalId, operation)),
    adopt: (guestId, userId) =>
      database.write(() => {
        const guest = of(guestId)
        if (guest.lines.length > 0) editNow(userId, adoption(guestId, guest))
        sql(REMOVE).run(guestId)
      }),
    forget: (principalId) =>
      database.write(() => {
        const { lines } = of(principalId)
        sql(REMOVE).run(principalId)
        return lines.length
      }),
    sweep: (limit) => database.write(() => Number(sql(SWEEP).run(clock.now(), limit).changes)),
  }
}
