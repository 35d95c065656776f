// Runs the contract of the search on SQLite, and tests what only its index files have: they are stored, and built beside the one in use.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
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

const CHANGE_COUNTER_AT = 24

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

for (const [name, damage] of [
  ['is garbage', (path: string) => writeFileSync(path, 'not a database')],
  ['is empty', (path: string) => writeFileSync(path, '')],
  ['is cut short', (path: string) => truncateSync(path, 8192)],
  ['has become a folder', (path: string) => (rmSync(path), mkdirSync(path))],
] as const) {
  test(`an index that ${name} is built again at the next start`, async (context) => {
    const { open, folder, search, telemetry } = await opened(context)
    const before = await ids(search, '進撃')
    damage(join(folder, readdirSync(folder)[0] ?? ''))
    assert.deepEqual(await ids(await open(), '進撃'), before)
    const events = telemetry.logged.map(({ event }) => event)
    assert.deepEqual(events, ['search.indexed', 'search.index-damaged', 'search.indexed'])
  })
}

test('an index that turns out to be damaged while it is searched is built again', async (context) => {
  const { folder, search, telemetry } = await opened(context)
  const before = await ids(search, '進撃')
  const path = join(folder, readdirSync(folder)[0] ?? '')
  // With another change counter, or SQLite would answer from the pages that it has read.
  const bytes = readFileSync(path).fill(0x5a, 100)
  bytes.writeUInt32BE(bytes.readUInt32BE(CHANGE_COUNTER_AT) + 1, CHANGE_COUNTER_AT)
  writeFileSync(path, bytes)
  assert.deepEqual(await ids(search, '進撃'), before)
  assert.equal(telemetry.logged.filter(({ event }) => event === 'search.indexed').length, 2)
  assert.equal((await ids(search, '進撃')).length, before.length)
})
