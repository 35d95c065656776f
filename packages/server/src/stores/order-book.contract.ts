// The contract of the order book. `make` returns an empty one whose orders expire `ORDERS_KEEP_MS` after they were placed; `reopen` returns
// another over the same data, as a second node or after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Order } from '#domain/commerce/order.ts'
import { plannedTimeline } from '#domain/commerce/order.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { ORDERS_MAX } from './order-book.ts'
import type { OrderBook } from './order-book.ts'

export const ORDERS_KEEP_MS = 60_000

export interface OrderBookUnderTest {
  readonly orders: OrderBook
  readonly reopen: () => Promise<OrderBook>
}

export function sampleOrder(number: number, placedAt = NOON + number): Order {
  const title = { ja: 'ベルセルク「剣」', en: 'Berserk \\ "sword"' }
  return {
    id: `order_${number}`,
    placedAt,
    lines: [{ productId: 'berserk', title, volume: number, quantity: 2, priceYen: 715 }],
    itemsYen: 1430,
    shippingYen: 500,
    totalYen: 1930,
    timeline: plannedTimeline(placedAt),
  }
}

const idsOf = async (orders: OrderBook, principalId: string, limit = 1000) =>
  (await orders.list(principalId, limit)).map(({ id }) => id)

export function orderBookContract(
  name: string,
  make: (context: TestContext, clock: ManualClock) => Promise<OrderBookUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    return { clock, ...(await make(context, clock)) }
  }
  const placed = (number: number, placedAt?: number) => ({ key: `key_${number}`, order: sampleOrder(number, placedAt) })

  test(`${name}: orders are listed unchanged, the latest first, also by another node`, async (context) => {
    const { orders, reopen } = await opened(context)
    for (const number of [2, 1, 3]) await orders.place('a}b', placed(number))
    const other = await reopen()
    assert.deepEqual(await other.list('a}b', 2), [sampleOrder(3), sampleOrder(2)])
    assert.deepEqual(await other.find('a}b', 'order_1'), sampleOrder(1))
    assert.deepEqual(await other.findByKey('a}b', 'key_1'), sampleOrder(1))
    assert.equal(await other.findByKey('a}b', 'key_9'), undefined)
  })

  test(`${name}: a key places one order, for each principal`, async (context) => {
    const { orders } = await opened(context)
    assert.deepEqual(await orders.place('one', placed(1)), sampleOrder(1))
    assert.deepEqual(await orders.place('one', { key: 'key_1', order: sampleOrder(2) }), sampleOrder(1))
    assert.deepEqual(await orders.place('two', { key: 'key_1', order: sampleOrder(3) }), sampleOrder(3))
    assert.deepEqual([await idsOf(orders, 'one'), await idsOf(orders, 'two')], [['order_1'], ['order_3']])
  })

  test(`${name}: the order of another principal is not found`, async (context) => {
    const { orders } = await opened(context)
    await orders.place('one', placed(1))
    assert.equal(await orders.find('two', 'order_1'), undefined)
    assert.equal(await orders.find('one', 'order_2'), undefined)
  })

  test(`${name}: a user adopts a guest’s orders, once`, async (context) => {
    const { orders } = await opened(context)
    await orders.place('guest_1', placed(1))
    await orders.place('guest_1', placed(3))
    await orders.place('user', placed(2))
    await orders.adopt('guest_1', 'user')
    await orders.adopt('guest_1', 'user')
    assert.deepEqual(await idsOf(orders, 'user'), ['order_3', 'order_2', 'order_1'])
    assert.deepEqual(await orders.findByKey('user', 'key_3'), sampleOrder(3))
    assert.deepEqual(await idsOf(orders, 'guest_1'), [])
  })

  test(`${name}: above the bound the oldest orders are removed`, async (context) => {
    const { orders } = await opened(context)
    for (let number = 0; number < ORDERS_MAX + 2; number += 1) await orders.place('one', placed(number))
    const ids = await idsOf(orders, 'one')
    assert.deepEqual([ids.length, ids.at(-1)], [ORDERS_MAX, 'order_2'])
    assert.equal(await orders.findByKey('one', 'key_1'), undefined)
  })

  test(`${name}: forgotten orders are gone, and others stay`, async (context) => {
    const { orders } = await opened(context)
    for (const number of [1, 2]) await orders.place('one', placed(number))
    await orders.place('two', placed(3))
    assert.deepEqual([await orders.forget('one'), await orders.forget('one')], [2, 0])
    assert.deepEqual([await idsOf(orders, 'one'), await idsOf(orders, 'two')], [[], ['order_3']])
    assert.deepEqual(await orders.place('one', placed(1)), sampleOrder(1))
  })

  test(`${name}: orders expire, and a sweep leaves nothing of them`, async (context) => {
    const { clock, orders } = await opened(context)
    await orders.place('one', placed(1, NOON))
    await clock.advance(ORDERS_KEEP_MS - 1)
    assert.deepEqual(await idsOf(orders, 'one'), ['order_1'])
    await orders.place('one', placed(2, NOON + ORDERS_KEEP_MS - 1))
    await clock.advance(1)
    assert.deepEqual(await idsOf(orders, 'one'), ['order_2'])
    assert.equal(await orders.find('one', 'order_1'), undefined)
    await orders.sweep(10)
    assert.equal(await orders.sweep(10), 0)
  })
}
