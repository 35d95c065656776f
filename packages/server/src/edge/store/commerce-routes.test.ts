// The cart, the checkout and the orders over HTTP: whose they are, what is refused, and that no other site can change them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShop } from '@mangaassist/client'
import type { ChatError } from '@mangaassist/client'
import type { CartView, OrderView } from '@mangaassist/protocol'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly payload?: object
  readonly origin?: string
  /** The address of the caller. */
  readonly from?: string
}

/** The union of what these routes answer. */
interface Body {
  readonly data: CartView & OrderView
  readonly error?: { readonly code: string; readonly details?: object; readonly message: string }
}

async function open() {
  const doors = await openDoors()
  await doors.app.operators.products.replaceAll(
    [
      sampleProduct({
        id: 'nana',
        volumes: 3,
        pricePerVolumeYen: 500,
        stock: 4,
        volumeOffers: [{ volume: 3, stock: 0 }],
      }),
    ],
    'test',
  )
  /** A shopper with a cookie of their own. */
  const shopper = () => {
    let cookie = ''
    return async (url: string, { from = '127.0.0.1', method = 'GET', origin, payload }: Call = {}) => {
      const headers = { cookie, ...(origin === undefined ? {} : { origin }) }
      const response = await doors.http.inject({
        method,
        url,
        headers,
        remoteAddress: from,
        ...(payload === undefined ? {} : { payload }),
      })
      cookie ||= String(response.headers['set-cookie'] ?? '').split(';')[0] ?? ''
      return { status: response.statusCode, ...response.json<Body>() }
    }
  }
  return { ...doors, shopper }
}

test('a guest fills a cart, changes it, orders it, and finds the order; another guest finds neither', async () => {
  await using doors = await open()
  const [one, two] = [doors.shopper(), doors.shopper()]
  await one('/api/cart')
  const payload = { productId: 'nana', volumes: [1, 2], idempotencyKey: 'a' }
  for (const _ of [1, 2]) assert.equal((await one('/api/cart/items', { method: 'POST', payload })).status, 200)
  await one('/api/cart/items/nana:1', { method: 'PATCH', payload: { quantity: 3 } })
  const { data: cart } = await one('/api/cart/items/nana:2', { method: 'DELETE' })
  assert.deepEqual([cart.count, cart.totalYen], [3, 2000])
  const order = { idempotencyKey: 'pay', version: cart.version, totalYen: cart.totalYen }
  const first = await one('/api/checkout', { method: 'POST', payload: order })
  const again = await one('/api/checkout', { method: 'POST', payload: order })
  assert.equal(first.status, 200)
  assert.deepEqual([again.data.id, again.data.demo], [first.data.id, true])
  assert.deepEqual((await one('/api/orders')).data, [again.data])
  assert.equal((await one(`/api/orders/${first.data.id}`)).status, 200)
  assert.equal((await one('/api/cart')).data.count, 0)
  assert.equal((await two(`/api/orders/${first.data.id}`)).error?.code, 'NOT_FOUND')
  assert.equal((await two('/api/cart')).data.version, 0)
})

test('requests that cannot be right, sold-out volumes and a changed cart have their own errors', async () => {
  await using doors = await open()
  const call = doors.shopper()
  await call('/api/cart')
  const post = (payload: object, url = '/api/cart/items') => call(url, { method: 'POST', payload })
  for (const payload of [
    { productId: 'nana' },
    { productId: 'nana', volumes: [] },
    { productId: 'nana', volumes: [1, 1] },
    { productId: '../x', volumes: [1] },
    { productId: 'nana', volumes: [1], quantity: 11 },
    { productId: 'nana', volumes: [1], priceYen: 1 },
  ])
    assert.equal((await post(payload)).error?.code, 'INVALID_REQUEST', JSON.stringify(payload))
  const soldOut = await post({ productId: 'nana', volumes: [3] })
  assert.equal(soldOut.status, 409)
  assert.deepEqual(soldOut.error?.details, { productId: 'nana', items: [{ id: 'nana:3', volume: 3, stock: 0 }] })
  assert.equal((await call('/api/cart/items/nana:1', { method: 'PATCH', payload: { quantity: 1 } })).status, 404)
  await post({ productId: 'nana', volumes: [1] })
  const changed = await post({ idempotencyKey: 'x', version: 1, totalYen: 1 }, '/api/checkout')
  assert.deepEqual([changed.status, changed.error?.code], [409, 'CART_CHANGED'])
})

test('the client has a method for each route, and gets refusals as errors', async () => {
  await using doors = await open()
  const url = await doors.listen()
  const cookie = (await fetch(`${url}/api/cart`)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const shop = createShop({ url, headers: { cookie } })
  const { added, soldOut } = await shop.addToCart({ productId: 'nana', volumes: 'all' })
  assert.deepEqual([added, soldOut], [[1, 2], [3]])
  assert.equal((await shop.setCartItem('nana:1', 3)).count, 4)
  const { totalYen, version } = await shop.removeCartItem('nana:2')
  const order = await shop.checkout({ idempotencyKey: 'pay', version, totalYen })
  assert.deepEqual([await shop.orders(), await shop.order(order.id)], [[order], order])
  assert.equal((await shop.cart()).count, 0)
  await assert.rejects(shop.addToCart({ productId: 'nana', volumes: [3] }), { name: 'ChatError', code: 'OUT_OF_STOCK' })
  await doors[Symbol.asyncDispose]()
  await assert.rejects(shop.cart(), { code: 'CONNECTION_LOST' })
})

test('a guest without a cookie gets no cart: the first request gives the cookie, and the next one with it is made', async () => {
  await using doors = await open()
  const call = doors.shopper()
  const add = () => call('/api/cart/items', { method: 'POST', payload: { productId: 'nana', volumes: [1] } })
  const first = await add()
  assert.deepEqual([first.status, first.error?.code], [401, 'UNAUTHENTICATED'])
  assert.deepEqual(first.error?.details, { reason: 'cookie-required', needs: 'cookie or authorization' })
  assert.match(first.error?.message ?? '', /Cookie/)
  assert.equal((await add()).status, 200)
  assert.equal((await call('/api/cart')).data.count, 1)
  // A forged cookie is none, and a ticket is as good as a cookie.
  const forged = { cookie: 'ma_guest=guest_1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }
  const payload = { productId: 'nana', volumes: [1] }
  const post = (headers: Record<string, string>) =>
    doors.http.inject({ method: 'POST', url: '/api/cart/items', headers, payload })
  assert.equal((await post(forged)).statusCode, 401)
  const ticket = (await doors.http.inject({ method: 'POST', url: '/api/ticket', payload: {} })).json().data.ticket
  assert.equal((await post({ authorization: `Bearer ${ticket}` })).statusCode, 200)
})

test('a client outside a browser is refused with what it lacks, and fills no cart that it cannot find again', async () => {
  await using doors = await open()
  const shop = createShop({ url: await doors.listen() })
  const refused = shop.addToCart({ productId: 'nana', volumes: [1] })
  await assert.rejects(refused, (error: ChatError) => {
    assert.deepEqual(
      [error.code, error.details],
      ['UNAUTHENTICATED', { reason: 'cookie-required', needs: 'cookie or authorization' }],
    )
    return true
  })
  assert.equal((await shop.cart()).count, 0)
})

test('where cookies are kept, as in a browser, the first call of a new guest is made', async (context) => {
  await using doors = await open()
  const shop = createShop({ url: await doors.listen() })
  const plain = globalThis.fetch
  context.after(() => (globalThis.fetch = plain))
  let cookie = ''
  globalThis.fetch = async (address, init) => {
    const response = await plain(address, { ...init, headers: { ...init?.headers, cookie } })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
  assert.deepEqual((await shop.addToCart({ productId: 'nana', volumes: [1] })).added, [1])
  assert.equal((await shop.cart()).count, 1)
})

test('the guests behind one network begin so many carts and orders, whatever their cookies; other networks and known carts are not limited', async () => {
  await using doors = await open()
  const guest = () => {
    const call = doors.shopper()
    return async (from: string) => {
      await call('/api/cart', { from })
      return {
        call,
        added: await call('/api/cart/items', { method: 'POST', payload: { productId: 'nana', volumes: 'all' }, from }),
      }
    }
  }
  const [here, elsewhere] = ['203.0.113.7', '203.0.113.8']
  const first = await guest()(here)
  assert.equal(first.added.status, 200)
  for (let begun = 1; begun < 200; begun += 1) assert.equal((await guest()(here)).added.status, 200)
  const last = (await guest()(here)).added
  assert.deepEqual([last.status, last.error?.code, last.error?.details], [429, 'RATE_LIMITED', { scope: 'carts' }])
  assert.equal((await guest()(elsewhere)).added.status, 200)
  const payload = { quantity: 2 }
  assert.equal((await first.call('/api/cart/items/nana:1', { method: 'PATCH', payload, from: here })).status, 200)
  const { data: cart } = await first.call('/api/cart', { from: here })
  const order = { idempotencyKey: 'pay', version: cart.version, totalYen: cart.totalYen }
  const checkout = await first.call('/api/checkout', { method: 'POST', payload: order, from: here })
  assert.deepEqual([checkout.status, checkout.error?.details], [429, { scope: 'carts' }])
})

test('a page of another site changes no cart', async () => {
  await using doors = await open()
  const call = doors.shopper()
  await call('/api/cart')
  const payload = { productId: 'nana', volumes: [1] }
  const foreign = await call('/api/cart/items', { method: 'POST', payload, origin: 'https://evil.example' })
  assert.equal(foreign.error?.code, 'FORBIDDEN')
  assert.equal((await call('/api/cart')).data.count, 0)
})
