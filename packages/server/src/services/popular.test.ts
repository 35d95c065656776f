// Popular series, cached in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { createPopular } from './popular.ts'

test('the longest series in stock are suggested, none twice, and none before the catalogue was read', async () => {
  const products = memoryProductStore()
  const [one] = sampleShelves()
  assert.ok(one !== undefined)
  const shelves = Array.from({ length: 450 }, (_, at) => ({
    ...one,
    id: `series-${String(at).padStart(3, '0')}`,
    volumes: at + 1,
    stock: at % 2,
  }))
  await products.replaceAll(shelves, 'test')
  const popular = createPopular({ products })
  assert.deepEqual(popular.some('turn_1'), [])
  await popular.refresh()
  const some = popular.some('turn_1')
  assert.equal(new Set(some.map(({ id }) => id)).size, 3)
  assert.ok(some.every(({ stock, volumes }) => stock > 0 && volumes > 400))
  assert.notDeepEqual(popular.some('turn_2'), some)
})

test('an unchanged catalogue is not read again', async () => {
  const products = memoryProductStore()
  await products.replaceAll(sampleShelves(), 'test')
  let pages = 0
  const counted = { ...products, page: (after: string, limit: number) => ((pages += 1), products.page(after, limit)) }
  const popular = createPopular({ products: counted })
  await popular.refresh()
  const read = pages
  await popular.refresh()
  assert.equal(pages, read)
  await products.replaceAll([], 'test')
  await popular.refresh()
  assert.deepEqual(popular.some('x'), [])
})
