// Runs the contract of the product store on SQLite, and tests that its cache of facts is not stale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productStoreContract } from '#ports/product-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { sqliteProductStore } from './product-store.ts'

productStoreContract('sqlite product store', async (context) => {
  return sqliteProductStore({ database: tempDatabase(context, manualClock()) })
})

test('the facts of a product are parsed once for each edition, and its offer is read each time', async (context) => {
  const database = tempDatabase(context, manualClock())
  const [products, another] = [sqliteProductStore({ database }), sqliteProductStore({ database })]
  const read = async () => (await products.byIds(['one']))[0]
  await another.replaceAll([sampleProduct({ id: 'one', stock: 3, genres: ['action'] })], 'test')
  const first = await read()
  await another.changeOffers([{ id: 'one', stock: 0 }], { source: 'test' })
  const changed = await read()
  assert.deepEqual([first?.stock, changed?.stock], [3, 0])
  assert.equal(changed?.genres, first?.genres)
  assert.ok(Object.isFrozen(first?.genres))
  await another.replaceAll([sampleProduct({ id: 'one', genres: ['drama'] })], 'test')
  assert.deepEqual((await read())?.genres, ['drama'])
})
