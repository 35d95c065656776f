// The caller's cart, the demo checkout, and the caller's orders. A cart belongs to the guest or user of the request; another's order is
// NOT_FOUND.
import {
  AddedToCart,
  AddToCartRequest,
  CartView,
  CheckoutRequest,
  Id,
  OrderView,
  SetCartItemRequest,
} from '@mangaassist/protocol'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const ItemParams = Type.Object({ itemId: Type.String({ minLength: 1, maxLength: 140 }) })
const OrderParams = Type.Object({ orderId: Id })

const getCart = {
  schema: {
    operationId: 'getCart',
    summary: 'The cart, with current prices and stock',
    description:
      'An item has `seenYen` when its price has changed since it was chosen, and `problem` when it cannot be ordered.',
    response: answers(CartView),
  },
} satisfies RouteDescription

const addToCart = {
  schema: {
    operationId: 'addToCart',
    summary: 'Put volumes of a series into the cart',
    description:
      'All volumes that are named, or none: OUT_OF_STOCK lists those that are sold out. With `all`, sold-out volumes are left out and listed. A guest must show the cookie that an earlier response has set, or a ticket; else UNAUTHENTICATED with the reason `cookie-required`.',
    body: AddToCartRequest,
    response: answers(AddedToCart),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OUT_OF_STOCK', 'RATE_LIMITED', 'MAINTENANCE'] },
} satisfies RouteDescription

const setCartItem = {
  schema: {
    operationId: 'setCartItem',
    summary: 'Set the quantity of an item; 0 removes it',
    params: ItemParams,
    body: SetCartItemRequest,
    response: answers(CartView),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OUT_OF_STOCK', 'MAINTENANCE'] },
} satisfies RouteDescription

const removeCartItem = {
  schema: {
    operationId: 'removeCartItem',
    summary: 'Remove an item from the cart',
    params: ItemParams,
    response: answers(CartView),
  },
  config: { errors: ['INVALID_REQUEST', 'MAINTENANCE'] },
} satisfies RouteDescription

const checkout = {
  schema: {
    operationId: 'checkout',
    summary: 'Order the whole cart in the demo order book',
    description:
      'Only with `--demo`: no money is taken and nothing is sent. The cart must have the version and the total that the shopper saw, else CART_CHANGED. A repeat with the same key gets the same order.',
    body: CheckoutRequest,
    response: answers(OrderView),
  },
  config: { errors: ['INVALID_REQUEST', 'OUT_OF_STOCK', 'CART_CHANGED', 'RATE_LIMITED', 'MAINTENANCE'] },
} satisfies RouteDescription

const listOrders = {
  schema: {
    operationId: 'listOrders',
    summary: 'The caller’s orders, the latest first',
    response: answers(Type.Array(OrderView)),
  },
} satisfies RouteDescription

const getOrder = {
  schema: {
    operationId: 'getOrder',
    summary: 'One order of the caller',
    params: OrderParams,
    response: answers(OrderView),
  },
  config: { errors: ['NOT_FOUND'] },
} satisfies RouteDescription

export function commerceRoutes(
  api: Routes,
  { app, clock, findNetwork }: Pick<HttpParts, 'app' | 'clock' | 'findNetwork'>,
): void {
  const { commerce } = app
  const from = ({ isNewGuest, raw }: Pick<FastifyRequest, 'isNewGuest' | 'raw'>) => ({
    isNewGuest,
    network: findNetwork(raw),
  })
  const { success } = envelopes(clock)

  api.get('/api/cart', getCart, async ({ principal }) => success(await commerce.cart(principal)))

  api.post('/api/cart/items', addToCart, async (request) =>
    success(await commerce.addToCart(request.principal, request.body, from(request))),
  )

  api.patch('/api/cart/items/:itemId', setCartItem, async ({ body, params, principal }) =>
    success(await commerce.setCartItem(principal, params.itemId, body)),
  )

  api.delete('/api/cart/items/:itemId', removeCartItem, async ({ params, principal }) =>
    success(await commerce.setCartItem(principal, params.itemId, { quantity: 0 })),
  )

  api.post('/api/checkout', checkout, async (request) =>
    success(await commerce.checkout(request.principal, request.body, from(request))),
  )

  api.get('/api/orders', listOrders, async (request) =>
    success([...(await commerce.orders(request.principal, from(request)))]),
  )

  api.get('/api/orders/:orderId', getOrder, async ({ params, principal }) =>
    success(await commerce.order(principal, params.orderId)),
  )
}
