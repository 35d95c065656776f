// Runs the contract of the search on SQLite, and tests what only its index files have: they are stored, and built beside the one in use.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { searchContract } from '#ports/search/contract.ts'
import { sqliteProductStore } from '../product-store/product-store.ts'
import { sqliteSearch } from './search.ts'

async function opened(context: TestContext) {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const products = sqliteProductStore({ database })
  await products.replaceAll(sampleShelves(), 'test')
  const folder = join(tempDir(context), 'search')
  const telemetry = memoryTelemetry()
  const open = async () => {
    const search = await sqliteSearch({ folder, products, vectors: bundledVectors(), clock, telemetry })
    context.after(() => search[Symbol.dispose]())
    return search
  }
  return { products, folder, open, telemetry, search: await open() }
}

searchContract('sqlite search', async (context) => {
  const { products, search } = await opened(context)
  return {
    search,
    products,
    async replaceProducts(shelves) {
      await products.replaceAll(shelves, 'test')
      await search.refresh()
    },
  }
})

const ids = async (search: Awaited<ReturnType<typeof sqliteSearch>>, text: string) =>
  (await search.find({ text, language: 'ja', limit: 5 }, NEVER)).map(({ id }) => id)

test('the index of an edition is stored: a second start opens it, and another edition replaces it', async (context) => {
  const { open, folder, products, search, telemetry } = await opened(context)
  const [file] = readdirSync(folder)
  await open()
  assert.deepEqual(readdirSync(folder), [file])
  assert.equal(telemetry.logged.filter(({ event }) => event === 'search.indexed').length, 1)
  await products.replaceAll([sampleProduct({ id: 'new' })], 'test')
  await search.refresh()
  assert.equal(readdirSync(folder).length, 1)
  assert.notDeepEqual(readdirSync(folder), [file])
})

test('while a new edition is indexed, the one before answers', async (context) => {
  const { products, search } = await opened(context)
  await products.replaceAll(
    [sampleProduct({ id: 'new', title: { ja: '新作', en: 'New', romaji: 'Shinsaku' } })],
    'test',
  )
  assert.deepEqual(await ids(search, 'ONE PIECE'), ['one-piece'])
  await search.refresh()
  assert.deepEqual(await ids(search, '新作'), ['new'])
})

test('a build that was killed leaves no index that is used', async (context) => {
  const { folder, open, products, search } = await opened(context)
  await products.replaceAll([sampleProduct({ id: 'new' })], 'test')
  await search.refresh()
  const [file = ''] = readdirSync(folder)
  writeFileSync(join(folder, `${file.replace(/^./u, '0')}.unfinished`), 'torn')
  await products.replaceAll(sampleShelves(), 'test')
  assert.deepEqual(await ids(await open(), 'ONE PIECE'), ['one-piece'])
})
