// Runs the contract of the carts on Redis, and compares it with memory over random histories.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CART_QUANTITY_MAX } from '#domain/commerce/cart.ts'
import { CART_KEEP_MS, cartsContract } from '#ports/carts/contract.ts'
import type { Carts } from '#ports/carts/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryCarts } from '../../memory/carts.ts'
import { redisCarts } from './carts.ts'

const RUNS = 60
const open = cleanRedis()

cartsContract('redis carts', async (context, clock) => {
  const redis = await open(context, clock)
  const reopen = async () => redisCarts({ redis, keepMs: CART_KEEP_MS })
  return { carts: await reopen(), reopen }
})

type Act = (carts: Carts) => Promise<unknown>

const owner = fc.constantFrom('guest_1', 'a}b', 'user:id:aki')
const anyEdit = fc.record({
  kind: fc.constantFrom('add', 'set', 'take', 'keep'),
  productId: fc.constantFrom('one-piece', 'nana'),
  volume: fc.integer({ min: 1, max: 4 }),
  quantity: fc.nat(CART_QUANTITY_MAX),
  seenYen: fc.integer({ min: 1, max: 1_000_000 }),
})
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ owner, id: fc.nat(30), edits: fc.array(anyEdit, { maxLength: 4 }) }).map(
      (drawn): Act =>
        (carts) =>
          carts.edit(drawn.owner, { id: `op_${drawn.id}`, edits: drawn.edits }),
    ),
  },
  fc.tuple(owner, owner).map(
    ([from, to]): Act =>
      async (carts) =>
        from === to ? undefined : carts.adopt(from, to),
  ),
  owner.map(
    (who): Act =>
      (carts) =>
        carts.forget(who),
  ),
  owner.map(
    (who): Act =>
      (carts) =>
        carts.read(who),
  ),
)

test('the carts in Redis and in memory give the same answers', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 40 }), async (acts) => {
      await redis.command(undefined, 'FLUSHALL')
      const oracle = memoryCarts({ clock, keepMs: CART_KEEP_MS })
      const nodes = [1, 2].map(() => redisCarts({ redis, keepMs: CART_KEEP_MS }))
      for (const [index, act] of acts.entries()) {
        const node = nodes[index % 2]
        assert.ok(node !== undefined)
        assert.deepEqual(await act(node), await act(oracle))
      }
    }),
    { numRuns: RUNS },
  )
})

test('a line that is added while a user adopts the cart is adopted too', async (context) => {
  const redis = await open(context, manualClock())
  const carts = redisCarts({ redis, keepMs: CART_KEEP_MS })
  const add = (volume: number) =>
    ({ id: `op_${volume}`, edits: [{ kind: 'add', productId: 'nana', volume, quantity: 1, seenYen: 500 }] }) as const
  await carts.edit('guest_1', add(1))
  let isRaced = false
  const racing: typeof redis = new Proxy(redis, {
    get(target, property) {
      if (property !== 'run') return (Reflect.get(target, property) as () => unknown).bind(target)
      return async (...given: Parameters<typeof redis.run>) => {
        const reply = await target.run(...given)
        if (!isRaced && given[0].name === 'cart-read') {
          isRaced = true
          await carts.edit('guest_1', add(2))
        }
        return reply
      }
    },
  })
  await redisCarts({ redis: racing, keepMs: CART_KEEP_MS }).adopt('guest_1', 'user')
  assert.deepEqual(
    (await carts.read('user')).lines.map(({ volume }) => volume),
    [1, 2],
  )
  assert.equal((await carts.read('guest_1')).version, 0)
})
