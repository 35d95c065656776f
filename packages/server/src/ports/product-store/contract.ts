// The contract of the product store. `make` returns an empty one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import type { ProductStore } from './port.ts'

export function productStoreContract(name: string, make: (context: TestContext) => Promise<ProductStore>): void {
  test(`${name}: products are returned complete, in the order of the ids, without unknown ids`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves(), 'test')
    const [kimetsu, onePiece] = sampleShelves()
    assert.deepEqual(await store.byIds(['one-piece', 'unknown', 'kimetsu-no-yaiba']), [onePiece, kimetsu])
    assert.deepEqual(await store.byIds([]), [])
  })

  test(`${name}: pages follow one another in the order of ids`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves().toReversed(), 'test')
    const first = await store.page('', 2)
    assert.deepEqual(
      first.map(({ id }) => id),
      ['kimetsu-no-yaiba', 'one-piece'],
    )
    assert.deepEqual(
      (await store.page('one-piece', 2)).map(({ id }) => id),
      ['yotsuba-to'],
    )
    assert.deepEqual(await store.page('yotsuba-to', 2), [])
  })

  test(`${name}: a replacement leaves exactly the new products`, async (context) => {
    const store = await make(context)
    assert.equal(await store.count(), 0)
    await store.replaceAll(sampleShelves(), 'test')
    assert.equal(await store.count(), 3)
    await store.replaceAll([sampleProduct({ stock: 1 }), sampleProduct({ id: 'new' })], 'test')
    assert.equal(await store.count(), 2)
    assert.deepEqual(
      (await store.byIds(['kimetsu-no-yaiba', 'one-piece'])).map(({ stock }) => stock),
      [1],
    )
  })

  test(`${name}: many products are replaced at once`, async (context) => {
    const store = await make(context)
    await store.replaceAll(
      Array.from({ length: 2000 }, (_, index) => sampleProduct({ id: `series-${index}` })),
      'test',
    )
    assert.equal(await store.count(), 2000)
    await store.replaceAll([], 'test')
    assert.equal(await store.count(), 0)
  })

  test(`${name}: every change of the catalogue is a new edition that names its source`, async (context) => {
    const store = await make(context)
    assert.equal(await store.edition(), undefined)
    await store.replaceAll(sampleShelves(), 'bundled')
    const first = await store.edition()
    assert.equal(first?.source, 'bundled')
    await store.replaceAll(sampleShelves(), 'import')
    const second = await store.edition()
    assert.equal(second?.source, 'import')
    assert.ok((second?.version ?? 0) > (first?.version ?? 0))
  })
}
