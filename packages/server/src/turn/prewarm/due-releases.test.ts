// What will be asked about the releases of a day, from the catalogue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { createDueReleases } from './due-releases.ts'

const DAY = '2026-12-16'

async function setUp(questionsMax = 100) {
  const store = memoryProductStore()
  let pages = 0
  const page: typeof store.page = (after, limit) => ((pages += 1), store.page(after, limit))
  const due = createDueReleases({ products: { page, edition: () => store.edition() }, questionsMax })
  const shelve = (stock: number) =>
    store.replaceAll(
      [
        sampleProduct({ id: 'b', stock, releases: [{ volume: 3, date: DAY }] }),
        sampleProduct({ id: 'a', releases: [{ volume: 24, date: '2026-12-17' }] }),
        sampleProduct({ id: 'c' }),
      ],
      'test',
    )
  await shelve(5)
  return { due, shelve, pages: () => pages }
}

test('the questions are about the releases of the day alone, up to the limit', async () => {
  const { due } = await setUp(3)
  const { questions, leftOut } = await due(DAY)
  assert.equal(questions.length, 3)
  assert.ok(leftOut > 0)
  assert.match(questions[0]?.message ?? '', /3巻/)
  assert.deepEqual((await due('2026-12-18')).questions, [])
})

test('the catalogue is read once for a day and an edition, and the digest changes with what is sold', async () => {
  const { due, shelve, pages } = await setUp()
  const first = await due(DAY)
  const read = pages()
  assert.equal((await due(DAY)).digest, first.digest)
  assert.equal(pages(), read)
  await shelve(4)
  assert.notEqual((await due(DAY)).digest, first.digest)
  await shelve(5)
  assert.equal((await due(DAY)).digest, first.digest)
})
