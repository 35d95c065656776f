// The index is built again for new facts, and not for a new price or stock, which ranking sees nevertheless.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnEmbedder } from '#adapters/embedded/embedder.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { NO_WISH } from '@mangaassist/bookseller/understanding/ask'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { currentShelves } from './current-shelves.ts'

async function setUp() {
  const store = memoryProductStore()
  await store.replaceAll(sampleShelves(), 'test')
  let learnt = 0
  const shelves = currentShelves(store, (texts) => {
    learnt += 1
    return learnEmbedder(texts)
  })
  const inStock = async () => {
    const wish = { ...NO_WISH, filters: { inStock: true } } as const
    const ranked = await (await shelves()).index.rank({ text: '', limit: 9, wish }, [])
    return ranked.map(({ id }) => id).toSorted()
  }
  return { store, shelves, inStock, learnt: () => learnt }
}

test('a change of stock is ranked without a new index', async () => {
  const { inStock, learnt, store } = await setUp()
  assert.deepEqual(await inStock(), ['kimetsu-no-yaiba', 'one-piece', 'yotsuba-to'])
  await store.changeOffers([{ id: 'one-piece', stock: 0 }], { source: 'stock' })
  assert.deepEqual(await inStock(), ['kimetsu-no-yaiba', 'yotsuba-to'])
  assert.equal(learnt(), 1)
})

test('new facts are indexed once, also for concurrent questions', async () => {
  const { inStock, learnt, store } = await setUp()
  await inStock()
  await store.replaceAll([sampleProduct({ id: 'new' })], 'test')
  assert.deepEqual(await Promise.all([inStock(), inStock()]), [['new'], ['new']])
  assert.equal(learnt(), 2)
})

test('a failed reading is tried again', async () => {
  const { inStock, shelves, store } = await setUp()
  const { page } = store
  store.page = () => Promise.reject(new Error('the store is down'))
  await assert.rejects(shelves())
  store.page = page
  assert.equal((await inStock()).length, 3)
})
