// Who may change prices and stock: a writer holds a short lease, which it renews while it writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { systemClock } from '../../../system/clock.ts'
import { systemRandom } from '../../../system/random.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { readPointer } from './pointer.ts'
import { dynamoProductStore } from './product-store.ts'
import { productsTable } from './table.ts'

const open = cleanDynamo([productsTable])
const SHELF = Array.from({ length: 60 }, (_, index) => sampleProduct({ id: `series-${index + 10}`, stock: 12 }))
const allAt = (stock: number) => SHELF.map(({ id }) => ({ id, stock }))

/** Pauses take no time, and the clock says that they did. */
async function openStores(context: TestContext) {
  const opened = await open(context)
  let laterMs = 0
  const system = systemClock()
  const later = (ms: number) => void (laterMs += ms)
  const clock = { ...system, now: () => system.now() + laterMs, sleep: async (ms: number) => later(ms) }
  const storeOn = (dynamo: Dynamo) => dynamoProductStore({ dynamo, clock, random: systemRandom() })
  const store = storeOn(opened.another())
  await store.replaceAll(SHELF, 'first')
  const current = async () => (await readPointer({ ...opened, table: opened.dynamo.tableName(productsTable) })).current
  return { ...opened, clock, later, storeOn, store, current }
}

const dead = () => Promise.reject(new StoreUnavailable('the process has died', { mayHaveHappened: false }))

test('the next importer waits for one that died not much longer than ten seconds, however many changes that one had', async (context) => {
  const { clock, dynamo, store, storeOn } = await openStores(context)
  let puts = 0
  const dying = storeOn({ ...dynamo, put: (input) => ((puts += 1) === 1 ? dynamo.put(input) : dead()) })
  const many = Array.from({ length: 10_000 }, (_, stock) => ({ id: 'series-10', stock }))
  await assert.rejects(dying.changeOffers(many, { source: 'dies' }), /died/)
  const at = clock.now()
  await store.changeOffers([{ id: 'series-10', stock: 5 }], { source: 'next' })
  assert.ok(clock.now() - at < 15_000, `${clock.now() - at} ms`)
})

test('an importer that writes for longer than its lease keeps it', async (context) => {
  const { clock, current, dynamo, later, store, storeOn } = await openStores(context)
  const leftMs: number[] = []
  const slow = storeOn({
    ...dynamo,
    async batchGet(input) {
      later(8000)
      leftMs.push(((await current())?.writing?.until ?? 0) - clock.now())
      return dynamo.batchGet(input)
    },
  })
  assert.equal((await slow.changeOffers(allAt(7), { source: 'slow' })).source, 'slow')
  assert.equal(leftMs.length, 3)
  assert.ok(
    leftMs.every((ms) => ms > 0),
    leftMs.join(),
  )
  assert.deepEqual((await store.byIds(['series-69'])).map(({ stock }) => stock), [7]) // prettier-ignore
})

test('a change that failed before it wrote anything does not count as interrupted', async (context) => {
  const { current, dynamo, store, storeOn } = await openStores(context)
  const unread = storeOn({ ...dynamo, batchGet: dead })
  await assert.rejects(unread.changeOffers(allAt(7), { source: 'unread' }), /died/)
  assert.deepEqual([(await current())?.abandoned, (await current())?.writing], [[], undefined])
  let puts = 0
  const halfway = storeOn({ ...dynamo, put: (input) => ((puts += 1) === 5 ? dead() : dynamo.put(input)) })
  await assert.rejects(halfway.changeOffers(allAt(7), { source: 'halfway' }), /died/)
  assert.deepEqual((await current())?.abandoned, [2])
  await store.changeOffers([{ id: 'series-10', stock: 5 }], { source: 'next' })
  assert.deepEqual((await store.byIds(['series-11'])).map(({ stock }) => stock), [12]) // prettier-ignore
})
