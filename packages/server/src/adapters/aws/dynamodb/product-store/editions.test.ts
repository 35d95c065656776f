// Editions in DynamoDB while things go wrong: several importers, importers that die, lost replies, batches that are done in part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { sampleFaq, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { memoryProductStore } from '../../../memory/product-store.ts'
import { systemClock } from '../../../system/clock.ts'
import { systemRandom } from '../../../system/random.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { dynamoProductStore } from './product-store.ts'
import { productsTable } from './table.ts'

const open = cleanDynamo([productsTable])
const HOUR_MS = 3_600_000

async function openStores(context: TestContext) {
  const opened = await open(context)
  let laterMs = 0
  const system = systemClock()
  // Imports are paced for a real table; of the pauses between tries a little is left, because they spread the writers.
  const clock = {
    ...system,
    now: () => system.now() + laterMs,
    sleep: () => new Promise<void>((resolve) => void system.after(5, resolve)),
  }
  const storeOn = (dynamo: Dynamo) => dynamoProductStore({ dynamo, clock, random: systemRandom() })
  const itemsLeft = async () => {
    const { Items: items = [] } = await opened.another().query({
      TableName: opened.dynamo.tableName(productsTable),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'parts' },
    })
    return items.length
  }
  return {
    ...opened,
    storeOn,
    store: storeOn(opened.dynamo),
    other: () => storeOn(opened.another()),
    later: (ms: number) => void (laterMs += ms),
    itemsLeft,
  }
}

const stockOf = async (store: { byIds: ReturnType<typeof dynamoProductStore>['byIds'] }) =>
  (await store.byIds(sampleShelves().map(({ id }) => id))).map(({ stock }) => stock)
const allAt = (stock: number) => sampleShelves().map(({ id }) => ({ id, stock }))

test('of two importers the later one publishes, and what the first wrote is removed when no node reads it', async (context) => {
  const { itemsLeft, later, other, store } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  const killed = await store.begin()
  await killed.add([sampleProduct({ id: 'killed' })])
  const next = await other().begin()
  await next.add([sampleProduct({ id: 'next' })])
  await assert.rejects(killed.publish({ source: 'killed' }), /another edition was begun/)
  assert.equal((await store.edition())?.source, 'first')
  await next.publish({ source: 'next' })
  assert.equal((await other().edition())?.source, 'next')
  await assert.rejects(killed.publish({ source: 'killed' }), /another edition was begun/)
  await store.purge()
  assert.equal(await itemsLeft(), 3)
  later(HOUR_MS)
  await Promise.all([store.purge(), other().purge()])
  assert.equal(await itemsLeft(), 1)
  assert.deepEqual(
    (await store.page('', 9)).map(({ id }) => id),
    ['next'],
  )
})

test('what is read of an edition does not change while another takes its place', async (context) => {
  const { other, store } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  const before = await store.snapshot()
  assert.ok(before)
  await other().changeOffers(allAt(50), { source: 'stock' })
  assert.deepEqual(await stockOf(before), [12, 12, 12])
  const between = await store.snapshot()
  assert.ok(between)
  await other().replaceAll([sampleProduct({ id: 'new' })], 'second')
  assert.deepEqual([await stockOf(between), (await between.outlines('', 9)).length], [[50, 50, 50], 3])
  assert.deepEqual(
    (await store.page('', 9)).map(({ id }) => id),
    ['new'],
  )
})

test('offers that changed twice since are not read as if they were the earlier ones', async (context) => {
  const { other, store } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  const before = await store.snapshot()
  assert.ok(before)
  for (const stock of [1, 2]) await other().changeOffers(allAt(stock), { source: 'stock' })
  await assert.rejects(stockOf(before), StoreUnavailable)
  assert.deepEqual(await stockOf(store), [2, 2, 2])
})

test('in a storm of importers every change takes effect whole, and the digest is that of the content', async (context) => {
  const { other, store } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  const seen: (readonly number[])[] = []
  const reader = other()
  const reading = (async () => {
    for (let reads = 0; reads < 40; reads += 1) seen.push(await stockOf(reader).catch(() => [0]))
  })()
  const stocks = Array.from({ length: 6 }, (_, index) => 100 + index)
  const editions = await Promise.all(stocks.map((stock) => other().changeOffers(allAt(stock), { source: `${stock}` })))
  await reading
  assert.deepEqual(new Set(editions.map(({ offers }) => offers)), new Set([1, 2, 3, 4, 5, 6]))
  for (const counts of seen) assert.equal(new Set(counts).size, 1, String(counts))
  const [stock = 0] = await stockOf(store)
  const same = memoryProductStore()
  await same.replaceAll(
    sampleShelves().map((product) => ({ ...product, stock })),
    'memory',
  )
  assert.equal((await store.edition())?.digest, (await same.edition())?.digest)
})

test('an importer that dies between items leaves prices and stock as they were, and delays the next one only', async (context) => {
  const { faults, later, other, store } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  const before = await store.edition()
  let puts = 0
  // The first put takes the lease; then one item is written, and nothing after it.
  faults.spoil(({ operation }) => (operation === 'PutItem' && (puts += 1) > 2 ? 'fail' : undefined))
  await assert.rejects(store.changeOffers(allAt(7), { source: 'dies' }), StoreUnavailable)
  assert.deepEqual([await stockOf(other()), await other().edition()], [[12, 12, 12], before])
  later(HOUR_MS)
  await other().changeOffers([{ id: 'one-piece', stock: 9 }], { source: 'stock' })
  assert.deepEqual(await stockOf(other()), [12, 9, 12])
})

test('an importer that was taken for dead does not undo what another changed since', async (context) => {
  const { dynamo, later, other, store, storeOn } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  let isFirst = true
  // It pauses after it has taken the lease, until that has ended and another writer is done.
  const paused = storeOn({
    ...dynamo,
    async batchGet(input) {
      if (isFirst) {
        isFirst = false
        later(HOUR_MS)
        await other().changeOffers(allAt(9), { source: 'stock' })
      }
      return dynamo.batchGet(input)
    },
  })
  await assert.rejects(paused.changeOffers(allAt(7), { source: 'late' }), /took the place of this one/)
  assert.deepEqual(await stockOf(other()), [9, 9, 9])
})

test('a change of prices to an edition that was replaced fails, although the next edition was changed as often', async (context) => {
  const { dynamo, other, store, storeOn } = await openStores(context)
  await store.replaceAll(sampleShelves(), 'first')
  let isFirst = true
  const slow = storeOn({
    ...dynamo,
    async put(input) {
      const output = await dynamo.put(input)
      if (input.Item?.['offer'] === undefined || !isFirst) return output
      isFirst = false
      await other().replaceAll(sampleShelves(), 'second')
      await other().changeOffers([{ id: 'one-piece', stock: 9 }], { source: 'stock' })
      return output
    },
  })
  await assert.rejects(slow.changeOffers([{ id: 'one-piece', stock: 7 }], { source: 'late' }), /another edition took/)
  assert.deepEqual(await stockOf(other()), [12, 9, 12])
})

test('a change whose replies are lost is made once', async (context) => {
  const { faults, other, store } = await openStores(context)
  let calls = 0
  faults.spoil(({ operation }) =>
    ['PutItem', 'BatchWriteItem', 'TransactWriteItems'].includes(operation) && (calls += 1) % 2 === 1
      ? 'lose-reply'
      : undefined,
  )
  await store.replaceAll(sampleShelves(), 'first')
  assert.equal((await store.edition())?.version, 1)
  const after = await store.changeOffers(allAt(3), { source: 'stock', faq: sampleFaq() })
  assert.deepEqual([after.version, after.offers, await stockOf(other())], [1, 1, [3, 3, 3]])
  assert.deepEqual(await other().faq(), sampleFaq())
})

test('batches that are done in part are completed', async (context) => {
  const { faults, other, store } = await openStores(context)
  faults.spoil(({ operation }) => (operation.startsWith('Batch') ? 'partial' : undefined))
  await store.replaceAll(sampleShelves(), 'first')
  assert.deepEqual(await store.byIds(['yotsuba-to', 'one-piece']), await other().byIds(['yotsuba-to', 'one-piece']))
  assert.equal((await other().page('', 9)).length, 3)
})

test('a product and an FAQ that are larger than an item are stored whole', async (context) => {
  const { store } = await openStores(context)
  const large = sampleProduct({ synopsis: { ja: '鬼'.repeat(300_000), en: 'demon '.repeat(100_000) } })
  const faq = sampleFaq().map((entry) => ({ ...entry, answer: { ja: 'は'.repeat(250_000), en: 'yes' } }))
  const next = await store.begin()
  await next.add([large])
  await next.publish({ source: 'large', faq })
  assert.deepEqual([await store.byIds([large.id]), await store.faq()], [[large], faq])
})
