// Cart and checkout over the product store: current prices and stock, bounds, repeats, and the demo order that a checkout makes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { createCommerce } from './commerce.ts'

const GUEST: Principal = { id: 'guest_1', kind: 'guest', tier: 'free' }
const OTHER: Principal = { id: 'guest_2', kind: 'guest', tier: 'free' }
const HOUR_MS = 3_600_000
const FROM = { network: '192.0.2.1' }

async function setUp({ demo = true } = {}) {
  const ports = await testPorts()
  const series = sampleProduct({
    id: 'nana',
    volumes: 4,
    pricePerVolumeYen: 500,
    stock: 5,
    volumeOffers: [
      { volume: 2, priceYen: 700 },
      { volume: 3, stock: 0 },
    ],
  })
  await ports.products.replaceAll([series], 'test')
  const commerce = createCommerce({ ...ports, config: { ...testConfig, demo } })
  const offer = (change: object) => ports.products.changeOffers([{ id: 'nana', ...change }], { source: 'test' })
  return { commerce, offer, ports }
}

const refused = (code: string, details: object) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.code, code)
  assert.deepEqual({ ...error.details, ...details }, error.details)
  return true
}

test('volumes are added once for a key, at current prices, with shipping until the free sum', async () => {
  const { commerce } = await setUp()
  const request = { productId: 'nana', volumes: [1, 2], quantity: 2, idempotencyKey: 'k1' }
  await commerce.addToCart(GUEST, request, FROM)
  const { added, cart } = await commerce.addToCart(GUEST, request, FROM)
  assert.deepEqual(added, [1, 2])
  assert.deepEqual(
    cart.items.map(({ id, priceYen, quantity, sumYen }) => [id, quantity, priceYen, sumYen]),
    [
      ['nana:1', 2, 500, 1000],
      ['nana:2', 2, 700, 1400],
    ],
  )
  assert.deepEqual(
    [cart.count, cart.itemsYen, cart.shippingYen, cart.totalYen, cart.canOrder],
    [4, 2400, 500, 2900, true],
  )
  const more = await commerce.setCartItem(GUEST, 'nana:1', { quantity: 4 })
  assert.deepEqual([more.itemsYen, more.shippingYen, more.totalYen], [3400, 0, 3400])
  assert.equal((await commerce.cart(OTHER)).count, 0)
})

test('all volumes leave out the sold-out ones and those in the cart; a named one that is sold out is refused', async () => {
  const { commerce } = await setUp()
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  const all = await commerce.addToCart(GUEST, { productId: 'nana', volumes: 'all' }, FROM)
  assert.deepEqual([all.added, all.soldOut, all.cart.count], [[2, 4], [3], 3])
  const items = [{ id: 'nana:3', volume: 3, stock: 0 }]
  await assert.rejects(
    commerce.addToCart(GUEST, { productId: 'nana', volumes: [4, 3] }, FROM),
    refused('OUT_OF_STOCK', { items }),
  )
  await assert.rejects(commerce.setCartItem(GUEST, 'nana:1', { quantity: 6 }), refused('OUT_OF_STOCK', {}))
  assert.equal((await commerce.cart(GUEST)).count, 3)
})

test('what does not exist, and too many copies, are refused with their field', async () => {
  const { commerce, offer } = await setUp()
  await offer({ stock: 99 })
  const add = (productId: string, volumes: number[], quantity = 1) =>
    commerce.addToCart(GUEST, { productId, volumes, quantity }, FROM)
  await assert.rejects(add('nobody', [1]), refused('NOT_FOUND', { field: 'productId' }))
  await assert.rejects(
    add('nana', [5]),
    refused('INVALID_REQUEST', { field: 'volumes', reason: 'not-sold', volume: 5 }),
  )
  await add('nana', [1], 10)
  await assert.rejects(add('nana', [1]), refused('INVALID_REQUEST', { field: 'quantity', max: 10 }))
  await assert.rejects(
    commerce.setCartItem(GUEST, 'nana:2', { quantity: 1 }),
    refused('NOT_FOUND', { field: 'itemId' }),
  )
  assert.equal((await commerce.setCartItem(GUEST, 'nana:2', { quantity: 0 })).count, 10)
})

test('a changed price or stock is said, and what is gone can be removed but not ordered', async () => {
  const { commerce, offer, ports } = await setUp()
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1, 4], quantity: 3 }, FROM)
  await offer({ pricePerVolumeYen: 550, stock: 2 })
  const dearer = await commerce.cart(GUEST)
  assert.deepEqual(
    [dearer.items[0]?.priceYen, dearer.items[0]?.seenYen, dearer.items[0]?.problem],
    [550, 500, 'too-few'],
  )
  assert.equal(dearer.canOrder, false)
  await offer({ volumeOffers: [{ volume: 1, stock: 0 }] })
  assert.deepEqual(
    [(await commerce.cart(GUEST)).items[0]?.problem, (await commerce.cart(GUEST)).items[0]?.sumYen],
    ['sold-out', 0],
  )
  await ports.products.replaceAll([sampleProduct({ id: 'other' })], 'test')
  const gone = await commerce.cart(GUEST)
  assert.deepEqual([gone.items.map(({ problem }) => problem), gone.totalYen], [['not-sold', 'not-sold'], 0])
  await commerce.setCartItem(GUEST, 'nana:1', { quantity: 0 })
  assert.equal((await commerce.setCartItem(GUEST, 'nana:4', { quantity: 0 })).count, 0)
})

test('a checkout orders what the shopper saw, empties the cart, and a repeat gets the same order', async () => {
  const { commerce, offer } = await setUp()
  const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1, 2] }, FROM)
  const request = { idempotencyKey: 'pay', version: cart.version, totalYen: cart.totalYen }
  await offer({ pricePerVolumeYen: 600 })
  await assert.rejects(commerce.checkout(GUEST, request, FROM), refused('CART_CHANGED', { totalYen: 1800 }))
  const order = await commerce.checkout(GUEST, { ...request, totalYen: 1800 }, FROM)
  assert.deepEqual([order.state, order.itemsYen, order.shippingYen, order.totalYen], ['placed', 1300, 500, 1800])
  assert.equal((await commerce.cart(GUEST)).count, 0)
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  assert.deepEqual(await commerce.checkout(GUEST, { ...request, totalYen: 1800 }, FROM), order)
  assert.equal((await commerce.cart(GUEST)).count, 1, 'a repeat takes nothing out of the new cart')
  assert.deepEqual(await commerce.orders(GUEST, FROM), [order])
  await assert.rejects(commerce.order(OTHER, order.id), refused('NOT_FOUND', {}))
})

test('a checkout that was lost between the order and the cart is completed by its repeat', async () => {
  const { commerce, ports } = await setUp()
  const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  const request = { idempotencyKey: 'pay', version: cart.version, totalYen: cart.totalYen }
  const down = () => Promise.reject(new StoreUnavailable('down', { mayHaveHappened: false }))
  const broken = createCommerce({
    ...ports,
    carts: withVerbs(ports.carts, {
      edit: (id, operation) => (operation.id.startsWith('order:') ? down() : ports.carts.edit(id, operation)),
    }),
    config: { ...testConfig, demo: true },
  })
  await assert.rejects(broken.checkout(GUEST, request, FROM), StoreUnavailable)
  const order = await commerce.checkout(GUEST, request, FROM)
  assert.deepEqual([(await commerce.orders(GUEST, FROM)).length, (await commerce.cart(GUEST)).count], [1, 0])
  assert.equal(order.totalYen, cart.totalYen)
})

test('a cart is ordered once: checkouts from two tabs make one order, and a double tap gets the same one twice', async () => {
  const { commerce } = await setUp()
  const checkouts = async (...keys: string[]) => {
    const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
    const seen = { version: cart.version, totalYen: cart.totalYen }
    return Promise.allSettled(keys.map((idempotencyKey) => commerce.checkout(GUEST, { ...seen, idempotencyKey }, FROM)))
  }
  const tabs = await checkouts('one', 'two', 'three')
  assert.equal(tabs.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await commerce.orders(GUEST, FROM)).length, 1)
  const taps = await checkouts('tap', 'tap', 'tap')
  assert.deepEqual(new Set(taps.map((tap) => (tap.status === 'fulfilled' ? tap.value.id : tap.reason))).size, 1)
  assert.deepEqual([(await commerce.orders(GUEST, FROM)).length, (await commerce.cart(GUEST)).count], [2, 0])
})

test('a checkout that was lost before its order is placed by its repeat, unless the cart was changed meanwhile', async () => {
  const { commerce, ports } = await setUp()
  const down = () => Promise.reject(new StoreUnavailable('down', { mayHaveHappened: false }))
  const orders = withVerbs(ports.orders, { place: down })
  const broken = createCommerce({ ...ports, orders, config: { ...testConfig, demo: true } })
  const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  const request = { idempotencyKey: 'pay', version: cart.version, totalYen: cart.totalYen }
  await assert.rejects(broken.checkout(GUEST, request, FROM), StoreUnavailable)
  const order = await commerce.checkout(GUEST, request, FROM)
  assert.equal(order.totalYen, cart.totalYen)
  const again = (await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)).cart
  const next = { idempotencyKey: 'pay2', version: again.version, totalYen: again.totalYen }
  await assert.rejects(broken.checkout(GUEST, next, FROM), StoreUnavailable)
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [2] }, FROM)
  await assert.rejects(commerce.checkout(GUEST, next, FROM), refused('CART_CHANGED', {}))
  assert.equal((await commerce.orders(GUEST, FROM)).length, 1)
})

test('an order is packed, shipped and delivered as time passes', async () => {
  const { commerce, ports } = await setUp()
  const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  const { id } = await commerce.checkout(
    GUEST,
    { idempotencyKey: 'p', version: cart.version, totalYen: cart.totalYen },
    FROM,
  )
  for (const [hours, state, count] of [
    [3, 'packed', 2],
    [17, 'shipped', 3],
    [56, 'delivered', 4],
  ] as const) {
    await ports.clock.advance(hours * HOUR_MS)
    const order = await commerce.order(GUEST, id)
    assert.deepEqual(
      [order.state, order.events.length, order.expectedAt === undefined],
      [state, count, state === 'delivered'],
    )
  }
})

test('an empty cart is not ordered, a sold-out one neither, and without the demo none is', async () => {
  const { commerce, offer } = await setUp()
  const request = { idempotencyKey: 'pay', version: 0, totalYen: 0 }
  await assert.rejects(
    commerce.checkout(GUEST, request, FROM),
    refused('INVALID_REQUEST', { field: 'cart', reason: 'empty' }),
  )
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  await offer({ stock: 0 })
  const items = [{ id: 'nana:1', volume: 1, stock: 0, problem: 'sold-out' }]
  await assert.rejects(commerce.checkout(GUEST, request, FROM), refused('OUT_OF_STOCK', { items }))
  const shop = await setUp({ demo: false })
  await assert.rejects(shop.commerce.checkout(GUEST, request, FROM), refused('FORBIDDEN', { reason: 'demo-only' }))
})

test('a user adopts the guest’s cart and orders', async () => {
  const { commerce } = await setUp()
  const { cart } = await commerce.addToCart(GUEST, { productId: 'nana', volumes: [1] }, FROM)
  await commerce.checkout(GUEST, { idempotencyKey: 'p', version: cart.version, totalYen: cart.totalYen }, FROM)
  await commerce.addToCart(GUEST, { productId: 'nana', volumes: [2] }, FROM)
  await commerce.adopt(GUEST.id, 'user:id:aki')
  const user: Principal = { id: 'user:id:aki', kind: 'user', tier: 'premium' }
  assert.deepEqual([(await commerce.cart(user)).count, (await commerce.orders(user, FROM)).length], [1, 1])
  assert.deepEqual([(await commerce.cart(GUEST)).count, (await commerce.orders(GUEST, FROM)).length], [0, 0])
})

test('a member of the demo has sample orders once: one arrived, one on its way', async () => {
  const { commerce } = await setUp()
  const member: Principal = { id: 'user:demo:aki.1', kind: 'user', tier: 'premium' }
  await commerce.orders(member, FROM)
  const orders = await commerce.orders(member, FROM)
  assert.deepEqual(await commerce.orders(GUEST, FROM), [])
  assert.deepEqual(
    orders.map(({ count, state }) => [state, count]),
    [
      ['shipped', 1],
      ['delivered', 3],
    ],
  )
})
