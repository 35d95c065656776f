// A cart and the rule by which it changes. Pure. A cart has no prices that count: `seenYen` is what the shopper saw, so that a later price
// can be called a change.

export interface CartLine {
  readonly productId: string
  readonly volume: number
  readonly quantity: number
  /** The price when the shopper last chose the quantity. Never charged. */
  readonly seenYen: number
}

export interface Cart {
  /** Rises with every operation; 0 for a cart that was never used. */
  readonly version: number
  /** In the order in which they were first added. */
  readonly lines: readonly CartLine[]
}

/**
 * `add` raises the quantity, `set` replaces it (0 removes the line), `take` lowers it, down to nothing, and `keep` makes it at least
 * the given one: for a guest's line that a user adopts.
 */
export type CartEditKind = 'add' | 'set' | 'take' | 'keep'

export interface CartEdit extends CartLine {
  readonly kind: CartEditKind
}

export interface CartOperation {
  /** The same id is applied once. */
  readonly id: string
  /** All are applied, or none. */
  readonly edits: readonly CartEdit[]
}

/** The bound that an operation would pass. */
export type CartLimit = 'lines' | 'quantity'

export type CartEdited =
  | { readonly kind: 'edited'; readonly cart: Cart }
  /** The operation was applied before: the cart is as it is now. */
  | { readonly kind: 'repeated'; readonly cart: Cart }
  /** Nothing was changed. */
  | { readonly kind: 'full'; readonly limit: CartLimit; readonly cart: Cart }

export interface StoredCart extends Cart {
  /** The ids of the last operations, newest last. */
  readonly operations: readonly string[]
}

/** A line as stores write it: a whole series has hundreds. */
export type PackedLine = readonly [productId: string, volume: number, quantity: number, seenYen: number]

export const packedLine = ({ productId, quantity, seenYen, volume }: CartLine): PackedLine => [
  productId,
  volume,
  quantity,
  seenYen,
]

export const unpackedLine = ([productId, volume, quantity, seenYen]: PackedLine): CartLine => ({
  productId,
  volume,
  quantity,
  seenYen,
})

/** More than the volumes of the longest series, so that one can be bought whole. */
export const CART_LINES_MAX = 300
export const CART_QUANTITY_MAX = 10
/** A repeat comes within seconds of the operation: some dozens are enough. */
export const CART_OPERATIONS_MAX = 50

export const EMPTY_CART: StoredCart = { version: 0, lines: [], operations: [] }

export type CartChange =
  | { readonly kind: 'edited'; readonly stored: StoredCart }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'full'; readonly limit: CartLimit }

export function editCart(stored: StoredCart, { edits, id }: CartOperation): CartChange {
  if (stored.operations.includes(id)) return { kind: 'repeated' }
  const lines = new Map(stored.lines.map((line) => [lineId(line), line]))
  let count = lines.size
  for (const edit of edits) {
    const before = lines.get(lineId(edit))
    const had = before?.quantity ?? 0
    const quantity = quantityAfter(edit, had)
    // A line that is adopted and finds no room is left out: a sign-in must not fail because of it.
    if (edit.kind === 'keep' && had === 0 && count >= CART_LINES_MAX) continue
    if (quantity > CART_QUANTITY_MAX && quantity > had) return { kind: 'full', limit: 'quantity' }
    if (had === 0 && quantity > 0) count += 1
    if (had > 0 && quantity === 0) count -= 1
    lines.set(lineId(edit), lineAfter(edit, quantity, before))
  }
  if (count > CART_LINES_MAX && count > stored.lines.length) return { kind: 'full', limit: 'lines' }
  const kept = [...lines.values()].filter(({ quantity }) => quantity > 0)
  const operations = [...stored.operations, id].slice(-CART_OPERATIONS_MAX)
  return { kind: 'edited', stored: { version: stored.version + 1, lines: kept, operations } }
}

/** The id of a line in its cart, and in addresses. */
export const lineId = ({ productId, volume }: Pick<CartLine, 'productId' | 'volume'>): string =>
  `${productId}:${volume}`

/** The operation by which a user adopts a guest's cart as it was at this version. */
export function adoption(guestId: string, { lines, version }: Cart): CartOperation {
  return { id: `adopt:${guestId}:${version}`, edits: lines.map((line) => ({ ...line, kind: 'keep' })) }
}

export const cartOf = ({ lines, version }: StoredCart): Cart => ({ version, lines })

/** What the caller of an edit learns from the change of a stored cart. */
export function editedBy(change: CartChange, before: StoredCart): CartEdited {
  return change.kind === 'edited'
    ? { kind: 'edited', cart: cartOf(change.stored) }
    : { ...change, cart: cartOf(before) }
}

function quantityAfter({ kind, quantity }: CartEdit, had: number): number {
  if (kind === 'add') return had + quantity
  if (kind === 'set') return quantity
  return kind === 'take' ? Math.max(0, had - quantity) : Math.max(had, quantity)
}

/** Only a quantity that the shopper chose changes the price that they saw. */
function lineAfter({ kind, productId, seenYen, volume }: CartEdit, quantity: number, before?: CartLine): CartLine {
  const isChosen = before === undefined || before.quantity === 0 || kind === 'add' || kind === 'set'
  return { productId, volume, quantity, seenYen: isChosen ? seenYen : before.seenYen }
}
