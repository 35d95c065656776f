// Opens the catalogue that nodes share: who fills an empty table, and what a node does without DynamoDB.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Dynamo } from '#adapters/aws/dynamodb/client/dynamo.ts'
import { productsTable } from '#adapters/aws/dynamodb/product-store/table.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { defaults } from '#config/config.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { openProducts } from './products.ts'

const open = cleanDynamo([productsTable])
const config = { ...defaults, stores: { products: 'dynamodb' } } as const
/** Imports are paced for a real table; nodes that start together wait for one another. */
const system = systemClock()
const clock = {
  ...system,
  sleep: (ms: number) => new Promise<void>((resolve) => void system.after(ms > 500 ? ms / 10 : 0, resolve)),
}

function node(context: TestContext, database = tempDatabase(context, clock)) {
  const telemetry = memoryTelemetry()
  const openOn = (dynamo: Dynamo) => {
    const openTable = async () => dynamo
    const shared = { open: openTable, openPatiently: openTable }
    return openProducts(config, { clock, random: systemRandom(), telemetry, database, dynamo: shared })
  }
  return { openOn, telemetry, local: sqliteProductStore({ database }) }
}

test('nodes that start together on an empty table have the bundled catalogue, all the same', async (context) => {
  const { another } = await open(context)
  const nodes = await Promise.all([1, 2, 3].map(() => node(context).openOn(another())))
  const editions = await Promise.all(nodes.map(({ products }) => products.edition()))
  assert.match(editions[0]?.source ?? '', /^bundled:/)
  assert.equal(new Set(editions.map((edition) => edition?.digest)).size, 1)
})

test('a shop that moves to DynamoDB brings its own catalogue, in place of the bundled one', async (context) => {
  const { another } = await open(context)
  const first = await node(context).openOn(another())
  const shop = node(context)
  const own = await shop.local.begin()
  await own.add(sampleShelves())
  await own.publish({ source: 'own', faq: sampleFaq() })
  const { products } = await shop.openOn(another())
  assert.deepEqual([(await products.edition())?.source, await products.count()], ['own', 3])
  await first.live?.follow()
  assert.deepEqual([await first.products.page('', 9), await first.products.faq()], [sampleShelves(), sampleFaq()])
})

test('without DynamoDB a node starts with its copy and says so, and does not start without one', async (context) => {
  const { dynamo, faults, another } = await open(context)
  const restarted = node(context)
  await restarted.openOn(another())
  faults.spoil(() => 'fail')
  const { products } = await restarted.openOn(dynamo)
  assert.ok((await products.count()) > 0)
  assert.ok(restarted.telemetry.logged.some(({ event }) => event === 'catalogue.not-copied'))
  await assert.rejects(node(context).openOn(dynamo), { code: 'CANNOT_START', message: /no copy/ })
})
