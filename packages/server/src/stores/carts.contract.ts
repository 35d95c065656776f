// The contract of the carts. `make` returns an empty store whose carts expire after `KEEP_MS` of this clock; `reopen` returns another
// over the same data, as a second node or after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CART_LINES_MAX, CART_OPERATIONS_MAX, CART_QUANTITY_MAX } from '#domain/commerce/cart.ts'
import type { CartEdit } from '#domain/commerce/cart.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import type { Carts } from './carts.ts'

export const CART_KEEP_MS = 60_000

export interface CartsUnderTest {
  readonly carts: Carts
  readonly reopen: () => Promise<Carts>
}

const edit = (kind: CartEdit['kind'], volume: number, quantity = 1): CartEdit => ({
  kind,
  productId: 'berserk',
  volume,
  quantity,
  seenYen: 700 + volume,
})
const line = (volume: number, quantity = 1) => ({ productId: 'berserk', volume, quantity, seenYen: 700 + volume })

export function cartsContract(
  name: string,
  make: (context: TestContext, clock: ManualClock) => Promise<CartsUnderTest>,
): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    return { clock, ...(await make(context, clock)) }
  }

  test(`${name}: lines are added, set, taken and removed, in the order of their first addition`, async (context) => {
    const { carts, reopen } = await opened(context)
    assert.deepEqual(await carts.read('guest_1'), { version: 0, lines: [] })
    await carts.edit('guest_1', { id: 'a', edits: [edit('add', 3), edit('add', 1, 2), edit('add', 2)] })
    await carts.edit('guest_1', { id: 'b', edits: [edit('add', 1), edit('set', 3, 5), edit('take', 2, 9)] })
    const expected = { version: 2, lines: [line(3, 5), line(1, 3)] }
    assert.deepEqual(await (await reopen()).read('guest_1'), expected)
    const emptied = await carts.edit('guest_1', { id: 'c', edits: [edit('set', 3, 0), edit('set', 1, 0)] })
    assert.deepEqual(emptied, { kind: 'edited', cart: { version: 3, lines: [] } })
    await carts.edit('guest_1', { id: 'd', edits: [edit('add', 9)] })
    assert.deepEqual(await carts.read('guest_1'), { version: 4, lines: [line(9)] })
    // Without edits only the version rises.
    const raised = await carts.edit('guest_1', { id: 'e', edits: [] })
    assert.deepEqual(raised, { kind: 'edited', cart: { version: 5, lines: [line(9)] } })
    assert.deepEqual(await carts.edit('guest_1', { id: 'e', edits: [] }), { ...raised, kind: 'repeated' })
  })

  test(`${name}: an operation is applied once, also by another node, while it is among the last ones`, async (context) => {
    const { carts, reopen } = await opened(context)
    const added = await carts.edit('a}b', { id: 'op', edits: [edit('add', 1)] })
    assert.deepEqual(await (await reopen()).edit('a}b', { id: 'op', edits: [edit('add', 1)] }), {
      ...added,
      kind: 'repeated',
    })
    for (let number = 0; number < CART_OPERATIONS_MAX; number += 1)
      await carts.edit('a}b', { id: `op_${number}`, edits: [edit('set', 2, 1)] })
    assert.equal((await carts.edit('a}b', { id: 'op', edits: [edit('add', 1)] })).kind, 'edited')
    assert.deepEqual((await carts.read('a}b')).lines, [line(1, 2), line(2)])
  })

  test(`${name}: above a bound nothing of an operation is applied, and its id stays free`, async (context) => {
    const { carts } = await opened(context)
    const all = Array.from({ length: CART_LINES_MAX }, (_, index) => edit('add', index + 1))
    const full = await carts.edit('one', { id: 'a', edits: all })
    assert.equal(full.cart.lines.length, CART_LINES_MAX)
    const more = await carts.edit('one', { id: 'b', edits: [edit('add', 1), edit('add', 999)] })
    assert.deepEqual(more, { kind: 'full', limit: 'lines', cart: full.cart })
    const many = await carts.edit('one', { id: 'b', edits: [edit('add', 1, CART_QUANTITY_MAX)] })
    assert.deepEqual(many, { kind: 'full', limit: 'quantity', cart: full.cart })
    assert.equal((await carts.edit('one', { id: 'b', edits: [edit('set', 1, 0), edit('add', 999)] })).kind, 'edited')
    assert.equal((await carts.read('one')).lines.at(-1)?.volume, 999)
  })

  test(`${name}: a user adopts a guest’s cart with the larger quantities, once, and others keep theirs`, async (context) => {
    const { carts } = await opened(context)
    await carts.edit('guest_1', { id: 'a', edits: [edit('add', 1, 3), edit('add', 2), edit('add', 4)] })
    await carts.edit('guest_2', { id: 'a', edits: [edit('add', 1)] })
    await carts.edit('user', { id: 'a', edits: [edit('add', 2, 2), edit('add', 1)] })
    await carts.adopt('guest_1', 'user')
    await carts.adopt('guest_1', 'user')
    assert.deepEqual((await carts.read('user')).lines, [line(2, 2), line(1, 3), line(4)])
    assert.deepEqual((await carts.read('guest_1')).lines, [])
    assert.deepEqual((await carts.read('guest_2')).lines, [line(1)])
  })

  test(`${name}: an adopted line that finds no room is left out`, async (context) => {
    const { carts } = await opened(context)
    const all = Array.from({ length: CART_LINES_MAX }, (_, index) => edit('add', index + 1))
    await carts.edit('user', { id: 'a', edits: all })
    await carts.edit('guest_1', { id: 'a', edits: [edit('add', 999), edit('add', 1, 4)] })
    await carts.adopt('guest_1', 'user')
    const { lines } = await carts.read('user')
    assert.deepEqual([lines.length, lines[0]], [CART_LINES_MAX, line(1, 4)])
  })

  test(`${name}: a forgotten cart is gone`, async (context) => {
    const { carts } = await opened(context)
    await carts.edit('one', { id: 'a', edits: [edit('add', 1), edit('add', 2)] })
    assert.deepEqual([await carts.forget('one'), await carts.forget('one')], [2, 0])
    assert.deepEqual(await carts.read('one'), { version: 0, lines: [] })
  })

  test(`${name}: a cart expires when it is not changed, and a sweep leaves nothing of it`, async (context) => {
    const { carts, clock } = await opened(context)
    await carts.edit('one', { id: 'a', edits: [edit('add', 1)] })
    await clock.advance(CART_KEEP_MS - 1)
    await carts.edit('one', { id: 'b', edits: [edit('add', 2)] })
    await clock.advance(CART_KEEP_MS - 1)
    assert.equal((await carts.read('one')).lines.length, 2)
    await clock.advance(1)
    assert.deepEqual(await carts.read('one'), { version: 0, lines: [] })
    await carts.sweep(10)
    assert.equal(await carts.sweep(10), 0)
    assert.deepEqual((await carts.edit('one', { id: 'a', edits: [edit('add', 7)] })).cart, {
      version: 1,
      lines: [line(7)],
    })
  })
}
