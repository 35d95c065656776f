// Nodes that share a catalogue in DynamoDB: an import reaches them all, answers have the price of now, and while DynamoDB is unavailable
// they say since when a price may have changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { dynamoProductStore } from '#adapters/aws/dynamodb/product-store/product-store.ts'
import { productsTable } from '#adapters/aws/dynamodb/product-store/table.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import type { DynamoCall } from '#fixtures/stores/dynamo-faults.ts'
import { sampleFaq, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { followedProducts } from './followed-products.ts'

const open = cleanDynamo([productsTable])
/** Longer than what was read counts as now. */
const LATER_MS = 6000

async function openNodes(context: TestContext, options?: { readonly callMs?: number }) {
  const opened = await open(context, options)
  let laterMs = 0
  const system = systemClock()
  const clock = { ...system, now: () => system.now() + laterMs, sleep: async () => {} }
  const nodeOn = (dynamo: typeof opened.dynamo) => {
    const shared = dynamoProductStore({ dynamo, clock, random: systemRandom() })
    return followedProducts({ shared, local: memoryProductStore(), clock, telemetry: opened.telemetry })
  }
  const [node, other] = [nodeOn(opened.dynamo), nodeOn(opened.another())]
  await other.products.replaceAll(sampleShelves(), 'first')
  await node.live.follow()
  const units = (from: number) =>
    opened.telemetry.observed
      .slice(from)
      .reduce((sum, { name, value }) => sum + (name === 'dynamodb_units' ? value : 0), 0)
  return { ...opened, clock, node, other, nodeOn, units, later: (ms: number) => void (laterMs += ms) }
}

const reads = (calls: readonly DynamoCall[]) =>
  calls.map(({ operation }) => operation).filter((operation) => operation !== 'GetItem')

test('an import on one node reaches the other, with the FAQ and the digest', async (context) => {
  const { node, other } = await openNodes(context)
  assert.deepEqual(await node.products.page('', 9), sampleShelves())
  const next = await other.products.begin()
  await next.add([sampleProduct({ id: 'new' }), ...sampleShelves().slice(1)])
  await next.publish({ source: 'second', faq: sampleFaq() })
  assert.equal(await node.live.follow(), true)
  assert.equal(await node.live.follow(), false)
  const [own, theirs] = [await node.products.edition(), await other.products.edition()]
  assert.deepEqual([own?.digest, own?.source], [theirs?.digest, 'second'])
  assert.deepEqual(await node.products.faq(), sampleFaq())
  assert.deepEqual(await node.products.page('', 9), await other.products.page('', 9))
})

test('changed stock reaches the other node without a new version, and a copy that differs otherwise is made again', async (context) => {
  const { node, other } = await openNodes(context)
  const before = await node.products.edition()
  await other.products.changeOffers([{ id: 'one-piece', stock: 1, releases: [{ volume: 1, date: '2026-12-04' }] }], {
    source: 'stock',
  })
  await node.live.follow()
  assert.deepEqual(
    [(await node.products.edition())?.version, (await node.products.byIds(['one-piece']))[0]?.stock],
    [before?.version, 1],
  )
  // The same facts, without the date.
  await other.products.replaceAll(sampleShelves(), 'again')
  await node.live.follow()
  assert.deepEqual(await node.products.page('', 9), sampleShelves())
})

test('a copy reads from DynamoDB only what it does not have', async (context) => {
  const { faults, node, other } = await openNodes(context)
  await other.products.replaceAll([...sampleShelves(), sampleProduct({ id: 'new' })], 'second')
  const from = faults.calls.length
  await node.live.follow()
  const gets = faults.calls.slice(from).filter(({ operation }) => operation === 'BatchGetItem')
  const keys = gets.map(({ body }) => JSON.stringify(body).match(/"new"/gu)?.length)
  assert.deepEqual(keys, [1, 1])
  assert.equal(await node.products.count(), 4)
})

test('an answer has price, stock and details of now although the copy is behind, in one call for all its products', async (context) => {
  const { faults, node, other, later } = await openNodes(context)
  const shown = await node.products.page('', 9)
  await other.products.changeOffers([{ id: 'one-piece', stock: 0 }], { source: 'stock' })
  later(LATER_MS)
  const from = faults.calls.length
  const [first, second] = await Promise.all([node.live.now(shown), node.live.now(shown)])
  assert.deepEqual(
    [first, second],
    [{ products: await other.products.page('', 9) }, { products: await other.products.page('', 9) }],
  )
  assert.deepEqual(reads(faults.calls.slice(from)), ['BatchGetItem'])
  await other.products.replaceAll([sampleProduct({ id: 'one-piece', volumes: 3 })], 'second')
  later(LATER_MS)
  assert.deepEqual(await node.live.now(shown), { products: await other.products.page('', 9) })
})

test('while its copy is current, an answer reads nothing, but asks once in some seconds whether that is so', async (context) => {
  const { faults, node, later, telemetry, units } = await openNodes(context)
  const shown = await node.products.page('', 9)
  const [calls, observed] = [faults.calls.length, telemetry.observed.length]
  for (let answers = 0; answers < 20; answers += 1) assert.deepEqual(await node.live.now(shown), { products: shown })
  assert.equal(faults.calls.length, calls)
  later(LATER_MS)
  for (let answers = 0; answers < 20; answers += 1) await node.live.now(shown)
  assert.deepEqual(
    faults.calls.slice(calls).map(({ operation }) => operation),
    ['GetItem'],
  )
  assert.equal(units(observed), 1)
})

test('an answer behind an import costs a read unit for each of its products, once', async (context) => {
  const { node, other, later, telemetry, units } = await openNodes(context)
  const shown = await node.products.page('', 9)
  await other.products.changeOffers([{ id: 'one-piece', stock: 0 }], { source: 'stock' })
  later(LATER_MS)
  const observed = telemetry.observed.length
  for (let answers = 0; answers < 5; answers += 1) await node.live.now(shown)
  assert.equal(units(observed), 1 + shown.length)
})

for (const fault of ['fail', 'hang'] as const) {
  test(`while DynamoDB meets "${fault}", an answer is made at once, and says when its price was current`, async (context) => {
    const { clock, faults, node, later, telemetry } = await openNodes(context, fault === 'hang' ? { callMs: 1000 } : {})
    const shown = await node.products.page('', 9)
    const currentAt = clock.now()
    faults.spoil(() => fault)
    assert.deepEqual(await node.live.now(shown), { products: shown })
    later(LATER_MS)
    const calls = faults.calls.length
    const { asOf, products } = await node.live.now(shown)
    assert.equal(faults.calls.length - calls, 1, 'DynamoDB is asked once and not again')
    assert.deepEqual(products, shown)
    assert.ok(asOf !== null && asOf !== undefined && asOf <= currentAt && asOf > currentAt - LATER_MS)
    assert.equal(telemetry.counted.filter(({ name }) => name === 'catalogue_stale_total').length, 1)
    await assert.rejects(node.live.follow())
    faults.spoil(() => undefined)
    later(60_000)
    assert.deepEqual(await node.live.now(shown), { products: shown })
  })
}

test('a node that started without the shared catalogue says that prices may have changed', async (context) => {
  const { dynamo, faults, nodeOn } = await openNodes(context)
  faults.spoil(() => 'fail')
  assert.deepEqual(await nodeOn(dynamo).live.now(sampleShelves()), { products: sampleShelves(), asOf: null })
})
