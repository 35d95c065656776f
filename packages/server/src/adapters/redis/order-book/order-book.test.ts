// Runs the contract of the order book on Redis, and compares it with memory over random histories.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderBookContract, ORDERS_KEEP_MS, sampleOrder } from '#ports/order-book/contract.ts'
import type { OrderBook } from '#ports/order-book/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryOrderBook } from '../../memory/order-book.ts'
import { redisOrderBook } from './order-book.ts'

const RUNS = 40
const open = cleanRedis()

orderBookContract('redis order book', async (context, clock) => {
  const redis = await open(context, clock)
  const reopen = async () => redisOrderBook({ redis, keepMs: ORDERS_KEEP_MS })
  return { orders: await reopen(), reopen }
})

type Act = (orders: OrderBook, index: number) => Promise<unknown>

const owner = fc.constantFrom('guest_1', 'a}b', 'user:id:aki')
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(owner, fc.nat(6)).map(
      ([who, key]): Act =>
        (orders, index) =>
          orders.place(who, { key: `key_${key}`, order: sampleOrder(index) }),
    ),
  },
  fc.tuple(owner, fc.nat(3)).map(
    ([who, limit]): Act =>
      (orders) =>
        orders.list(who, limit),
  ),
  fc.tuple(owner, fc.nat(40)).map(
    ([who, id]): Act =>
      (orders) =>
        orders.find(who, `order_${id}`),
  ),
  fc.tuple(owner, fc.nat(6)).map(
    ([who, key]): Act =>
      (orders) =>
        orders.findByKey(who, `key_${key}`),
  ),
  fc.tuple(owner, owner).map(
    ([from, to]): Act =>
      async (orders) =>
        from === to ? undefined : orders.adopt(from, to),
  ),
  owner.map(
    (who): Act =>
      (orders) =>
        orders.forget(who),
  ),
)

test('the order books in Redis and in memory give the same answers', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyAct, fc.nat(9)), { maxLength: 40 }), async (steps) => {
      await redis.command(undefined, 'FLUSHALL')
      const oracle = memoryOrderBook({ clock, keepMs: ORDERS_KEEP_MS })
      const nodes = [1, 2].map(() => redisOrderBook({ redis, keepMs: ORDERS_KEEP_MS }))
      for (const [index, [act, laterMs]] of steps.entries()) {
        const node = nodes[index % 2]
        assert.ok(node !== undefined)
        assert.deepEqual(await act(node, index), await act(oracle, index))
        await clock.advance(laterMs * 10)
      }
    }),
    { numRuns: RUNS },
  )
})
