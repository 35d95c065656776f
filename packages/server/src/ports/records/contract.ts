// The contract of a store of records, over kinds of all shapes: several values in a home, one home for all, and one value in a home. `make`
// returns an empty store; `reopen` returns another over the same data, as a second node or after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { memoryRecords } from '#adapters/memory/records.ts'
import { plannedTimeline } from '#domain/commerce/order.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { CARTS } from '#stores/carts.ts'
import type { CartOfPrincipal } from '#stores/carts.ts'
import { HANDOVERS } from '#stores/handover-requests.ts'
import type { HandoverRequest } from '#stores/handover-requests.ts'
import { orderKind } from '#stores/order-book.ts'
import type { OrderOfPrincipal } from '#stores/order-book.ts'
import type { Kind, Position, RecordChange, RecordStore } from './port.ts'

const KEEP_MS = 60_000
const RUNS = 20
/** Several values in a home, with a unique field. */
const ORDERS = orderKind(KEEP_MS)
/** One home, with indexes. */
const REQUESTS: Kind<HandoverRequest> = { ...HANDOVERS, keepMs: KEEP_MS }

export interface RecordsUnderTest {
  readonly records: RecordStore
  readonly reopen: () => Promise<RecordStore>
}

type Make = (context: TestContext, clock: ManualClock) => Promise<RecordsUnderTest>

function orderOf(principalId: string, number: number, { at = NOON + number, key = `key_${number}` } = {}) {
  const title = { ja: 'ベルセルク「剣」', en: 'Berserk \\ "sword" \u{1F5E1}' }
  const line = { productId: 'berserk', title, volume: number, quantity: 2, priceYen: 715 }
  const sums = { itemsYen: 1430, shippingYen: 500, totalYen: 1930 }
  const order = { id: `order_${number}`, placedAt: at, lines: [line], ...sums, timeline: plannedTimeline(at) }
  return { principalId, key, order }
}

function requestOf(number: number, over: Partial<HandoverRequest> = {}): HandoverRequest {
  const whose = { sessionId: `sess_${number % 3}`, principalId: 'guest_1', language: 'ja' } as const
  return { id: `hand_${number}`, ...whose, at: NOON + number, state: 'open', ...over }
}

const cartOf = (version: number, expiresAt: number): CartOfPrincipal => ({
  principalId: 'a}b',
  expiresAt,
  cart: { version, lines: [], operations: [] },
})

const putAll =
  <Value>(...put: readonly Value[]) =>
  (): RecordChange<Value, void> => ({ put, result: undefined })

/** A kind on two nodes: those with odd numbers and the others. */
async function bothOpen<Value>(kind: Kind<Value>, { records, reopen }: RecordsUnderTest) {
  const [even, odd] = [records.open(kind), (await reopen()).open(kind)]
  return (number: number) => (number % 2 === 0 ? even : odd)
}

export function recordsContract(name: string, make: Make): void {
  changesContract(name, make)
  listsContract(name, make)
  expiryContract(name, make)
  propertyContract(name, make)
}

function changesContract(name: string, make: Make): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    return { clock, ...(await make(context, clock)) }
  }

  test(`${name}: what is written is read unchanged, also by another node`, async (context) => {
    const { records, reopen } = await opened(context)
    const order = orderOf('a}b', 1)
    await records.open(ORDERS).change('a}b', {}, putAll(order))
    await records.open(CARTS).change('a}b', {}, putAll(cartOf(7, NOON + KEEP_MS)))
    const other = await reopen()
    assert.deepEqual(await other.open(ORDERS).list('a}b', { limit: 9 }), [order])
    assert.deepEqual(await other.open(CARTS).list('a}b', { limit: 9 }), [cartOf(7, NOON + KEEP_MS)])
    assert.deepEqual(await other.open(ORDERS).list('another', { limit: 9 }), [])
    assert.deepEqual(await other.open(REQUESTS).list('', { limit: 9 }), [])
  })

  test(`${name}: changes of one value at the same time all count`, async (context) => {
    const { records, reopen } = await opened(context)
    const nodes = await bothOpen(CARTS, { records, reopen })
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        nodes(index).change('a}b', { own: { by: 'principalId', is: 'a}b' } }, ({ own: [cart] }, now) => ({
          put: [cartOf((cart?.cart.version ?? 0) + 1, now + KEEP_MS)],
          result: undefined,
        })),
      ),
    )
    const [cart] = await nodes(0).list('a}b', { limit: 1 })
    assert.equal(cart?.cart.version, 12)
  })

  test(`${name}: a decision about a list sees what another node adds to it`, async (context) => {
    const { records, reopen } = await opened(context)
    const nodes = await bothOpen(REQUESTS, { records, reopen })
    const own = { by: 'principalId', is: 'guest_1', since: NOON }
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        nodes(index).change('', { own }, (found): RecordChange<HandoverRequest, void> => ({
          put: found.own.length < 3 ? [requestOf(index + 1)] : [],
          result: undefined,
        })),
      ),
    )
    assert.equal((await nodes(0).list('', { limit: 99 })).length, 3)
  })

  test(`${name}: a value that is found by its unique field is not added twice`, async (context) => {
    const { records, reopen } = await opened(context)
    const nodes = await bothOpen(ORDERS, { records, reopen })
    const ids = await Promise.all(
      [1, 2, 3, 4].map((number) => {
        const order = orderOf('one', number, { key: 'key' })
        return nodes(number).change(
          'one',
          { same: { by: 'placedBy', is: 'key' } },
          ({ same: [same] }): RecordChange<OrderOfPrincipal, string> =>
            same === undefined ? { put: [order], result: order.order.id } : { result: same.order.id },
        )
      }),
    )
    assert.equal(new Set(ids).size, 1)
    assert.equal((await nodes(0).list('one', { by: 'placedBy', is: 'key', limit: 1 }))[0]?.order.id, ids[0])
    assert.equal((await nodes(0).list('one', { limit: 9 })).length, 1)
  })

  test(`${name}: a decision that throws changes nothing`, async (context) => {
    const { records } = await opened(context)
    const orders = records.open(ORDERS)
    await orders.change('one', {}, putAll(orderOf('one', 1)))
    const thrown = orders.change('one', { all: {} }, () => {
      throw new RangeError('no')
    })
    await assert.rejects(thrown, RangeError)
    assert.equal((await orders.list('one', { limit: 9 })).length, 1)
  })
}

function listsContract(name: string, make: Make): void {
  test(`${name}: lists are paged, newest first, and a value is in the list of its fields only`, async (context) => {
    const { records } = await make(context, manualClock())
    const requests = records.open(REQUESTS)
    const at = (index: number) => NOON + Math.floor(index / 3)
    const all = Array.from({ length: 9 }, (_, index) => requestOf(index, { at: at(index) }))
    await requests.change('', {}, putAll(...all))
    const order = [8, 7, 6, 5, 4, 3, 2, 1, 0].map((number) => `hand_${number}`)
    const ids: string[] = []
    let after: Position | undefined
    for (let pages = 1; pages <= 5; pages += 1) {
      const page = await requests.list('', { limit: 2, after })
      ids.push(...page.map(({ id }) => id))
      after = page.at(-1)
    }
    assert.deepEqual(ids, order)
    const [first] = all
    assert.ok(first !== undefined)
    await requests.change('', { own: { by: 'id', is: 'hand_0' } }, putAll({ ...first, state: 'closed' as const }))
    const closed = await requests.list('', { by: 'state', is: 'closed', limit: 9 })
    const open = await requests.list('', { by: 'state', is: 'open', limit: 9 })
    assert.deepEqual([closed.map(({ id }) => id), open.map(({ id }) => id)], [['hand_0'], order.slice(0, 8)])
    assert.equal((await requests.list('', { by: 'sessionId', is: 'sess_0', limit: 9 })).length, 3)
    assert.deepEqual(await requests.list('', { limit: 0 }), [])
    const rest = await requests.change('', { rest: { skip: 7 } }, (found) => ({ result: found.rest }))
    assert.deepEqual(
      rest.map(({ id }) => id),
      ['hand_1', 'hand_0'],
    )
  })
}

function expiryContract(name: string, make: Make): void {
  test(`${name}: what is over is not read, and a change or a sweep removes it`, async (context) => {
    const clock = manualClock()
    const { records } = await make(context, clock)
    const [orders, requests] = [records.open(ORDERS), records.open(REQUESTS)]
    await orders.change('one', {}, putAll(orderOf('one', 1, { at: NOON }), orderOf('one', 2)))
    await requests.change('', {}, putAll(requestOf(1, { at: NOON }), requestOf(2, { at: NOON }), requestOf(9)))
    await clock.advance(KEEP_MS)
    assert.deepEqual(
      (await orders.list('one', { limit: 9 })).map(({ order }) => order.id),
      ['order_2'],
    )
    assert.deepEqual(await orders.list('one', { by: 'id', is: 'order_1', limit: 1 }), [])
    // The key of one that is over is free.
    const again = orderOf('one', 3, { key: 'key_1' })
    await orders.change('one', { same: { by: 'placedBy', is: 'key_1' } }, ({ same }) => ({
      put: same.length === 0 ? [again] : [],
      result: undefined,
    }))
    assert.deepEqual(await orders.list('one', { by: 'placedBy', is: 'key_1', limit: 1 }), [again])
    assert.equal(await requests.sweep(1), 1)
    assert.equal(await requests.sweep(9), 1)
    assert.equal(await requests.sweep(9), 0)
    assert.equal((await requests.list('', { limit: 9 })).length, 1)
  })
}

interface Draw {
  readonly act: 'put' | 'remove' | 'list' | 'move'
  readonly home: string
  readonly number: number
  readonly laterMs: number
}

function propertyContract(name: string, make: Make): void {
  const draw = fc.record<Draw>({
    act: fc.constantFrom('put', 'put', 'put', 'remove', 'list', 'move'),
    home: fc.constantFrom('one', 'a}b'),
    number: fc.nat(12),
    laterMs: fc.constantFrom(0, 1, KEEP_MS / 4),
  })

  /** What the acts reply, in turn by two nodes. */
  async function replies(nodes: readonly RecordStore[], draws: readonly Draw[], clock: ManualClock, from: number) {
    const said: unknown[] = []
    for (const [index, { act, home, number, laterMs }] of draws.entries()) {
      const node = nodes[index % nodes.length]
      assert.ok(node !== undefined)
      const [orders, requests] = [node.open(ORDERS), node.open(REQUESTS)]
      const order = orderOf(home, number, { at: clock.now(), key: `key_${number % 4}` })
      const mine = { ...order, order: { ...order.order, id: `${home}_${from}_${number}` } }
      if (act === 'put')
        said.push(
          await orders.change(
            home,
            { same: { by: 'placedBy', is: mine.key }, own: { by: 'id', is: mine.order.id } },
            ({ own, same }): RecordChange<OrderOfPrincipal, number> => ({
              put: own.length + same.length === 0 ? [mine] : [],
              result: same.length,
            }),
          ),
          await requests.change('', { all: { by: 'sessionId', is: `sess_${number % 3}` } }, ({ all }) => ({
            put: all.some(({ id }) => id === `hand_${number}`) ? [] : [requestOf(number, { at: clock.now() })],
            result: all.length,
          })),
        )
      if (act === 'remove')
        said.push(
          await orders.change(home, { own: { by: 'placedBy', is: mine.key } }, ({ own }) => ({
            remove: own,
            result: own,
          })),
        )
      if (act === 'move')
        said.push(
          await requests.change('', { own: { by: 'state', is: 'open', since: NOON + number } }, ({ own }) => ({
            put: own.map((request) => ({ ...request, state: 'taken' as const })),
            result: own,
          })),
        )
      said.push(
        await orders.list(home, { limit: 3 }),
        await orders.change(home, { all: { skip: 2 } }, ({ all }) => ({ result: all })),
        await requests.list('', { by: 'state', is: 'taken', limit: 2 }),
        await requests.list('', { limit: 20 }),
      )
      await clock.advance(laterMs)
    }
    return said
  }

  test(`${name}: random histories are as in memory`, async (context) => {
    await fc.assert(
      fc.asyncProperty(fc.array(draw, { maxLength: 25 }), async (draws) => {
        const [clock, oracleClock] = [manualClock(), manualClock()]
        const { records, reopen } = await make(context, clock)
        const oracle = memoryRecords({ clock: oracleClock })
        const expected = await replies([oracle], draws, oracleClock, 0)
        assert.deepEqual(await replies([records, await reopen()], draws, clock, 0), expected)
      }),
      { numRuns: RUNS },
    )
  })
}
