// Cart, checkout and orders as a shopper sees them. Prices and stock of a cart are those at the time of the response; those of an
// order are the ones it was placed at.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count, Id, Localized } from './vocabulary.ts'

/** Volumes in one request: more than the longest series has. */
const VOLUMES_MAX = 300
const QUANTITY_MAX = 10

const ProductId = Type.String({ minLength: 1, maxLength: 128, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
const VolumeNumber = Type.Integer({ minimum: 1, maximum: 9999 })
const OperationKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'A request that is sent again with the same key changes the cart once',
  }),
)

export const CartItem = Type.Object({
  id: Type.String({ description: 'The series and the volume, such as `one-piece:3`' }),
  productId: Type.String(),
  title: Localized,
  url: Type.String(),
  volume: Count,
  quantity: Count,
  priceYen: Count,
  /** The price of all copies. */
  sumYen: Count,
  stock: Count,
  /** The price that the shopper saw before; present when it has changed since. */
  seenYen: Type.Optional(Count),
  /** Why it cannot be ordered as it is. */
  problem: Type.Optional(
    Type.Union([Type.Literal('sold-out'), Type.Literal('too-few'), Type.Literal('not-sold')], {
      description: '`too-few`: there are fewer copies than wanted; `not-sold`: the store sells it no longer',
    }),
  ),
})
export type CartItem = Static<typeof CartItem>

export const CartView = Type.Object({
  /** Rises with every change. */
  version: Count,
  items: Type.Array(CartItem),
  /** All copies together. */
  count: Count,
  itemsYen: Count,
  shippingYen: Count,
  totalYen: Count,
  /** What an order must reach to be shipped free of charge. */
  freeShippingFromYen: Count,
  /** Whether an order can be placed as it is. */
  canOrder: Type.Boolean(),
})
export type CartView = Static<typeof CartView>

export const AddToCartRequest = Type.Object(
  {
    productId: ProductId,
    volumes: Type.Union([
      Type.Array(VolumeNumber, { minItems: 1, maxItems: VOLUMES_MAX, uniqueItems: true }),
      Type.Literal('all', { description: 'Every volume that is in stock and not in the cart yet' }),
    ]),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, default: 1 })),
    idempotencyKey: OperationKey,
  },
  { additionalProperties: false },
)
export type AddToCartRequest = Static<typeof AddToCartRequest>

export const AddedToCart = Type.Object({
  cart: CartView,
  /** Volumes that were put into the cart. */
  added: Type.Array(Count),
  /** With `all`: volumes that were left out because they are sold out. */
  soldOut: Type.Array(Count),
})
export type AddedToCart = Static<typeof AddedToCart>

export const SetCartItemRequest = Type.Object(
  { quantity: Type.Integer({ minimum: 0, maximum: QUANTITY_MAX }), idempotencyKey: OperationKey },
  { additionalProperties: false },
)
export type SetCartItemRequest = Static<typeof SetCartItemRequest>

export const CheckoutRequest = Type.Object(
  {
    idempotencyKey: Type.String({ minLength: 1, maxLength: 128 }),
    /** The version and the total that the shopper saw. A cart with another version or total is not ordered. */
    version: Count,
    totalYen: Count,
  },
  { additionalProperties: false },
)
export type CheckoutRequest = Static<typeof CheckoutRequest>

export const OrderState = Type.Union([
  Type.Literal('placed'),
  Type.Literal('packed'),
  Type.Literal('shipped'),
  Type.Literal('delivered'),
  Type.Literal('returned'),
])
export type OrderState = Static<typeof OrderState>

export const OrderView = Type.Object({
  id: Id,
  state: OrderState,
  placedAt: Type.String(),
  lines: Type.Array(
    Type.Object({
      productId: Type.String(),
      title: Localized,
      url: Type.String(),
      volume: Count,
      quantity: Count,
      priceYen: Count,
      sumYen: Count,
    }),
  ),
  count: Count,
  itemsYen: Count,
  shippingYen: Count,
  totalYen: Count,
  /** What has happened, the oldest first. */
  events: Type.Array(Type.Object({ state: OrderState, at: Type.String() })),
  /** When it should arrive; absent once it has. */
  expectedAt: Type.Optional(Type.String()),
  /** No money was taken, and nothing is sent. */
  demo: Type.Literal(true),
})
export type OrderView = Static<typeof OrderView>
