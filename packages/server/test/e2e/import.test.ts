// Imports into real server processes: while one answers, when it is killed in the middle, and into one node of a cluster only.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAdminClient } from '@mangaassist/client/admin'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { secretHash } from '#lib/text/secret-hash.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleFaq, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

const TOKEN = 'maa_e2e'
const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const env = { MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]) }
const why = { reason: 'a test' }

const clientOf = (url: string) => createAdminClient({ url, token: TOKEN, deadlineMs: 60_000 })
const many = (count: number): readonly Product[] =>
  Array.from({ length: count }, (_, at) =>
    sampleProduct({ id: `series-${at}`, title: { ja: `シリーズ${at}`, en: `Series ${at}`, romaji: `Shiriizu ${at}` } }),
  )

interface Readyz {
  readonly status: string
  readonly catalogue: {
    readonly edition: string
    readonly products: number
    readonly others?: Readonly<Record<string, number>>
    readonly warning?: string
  }
}

const readyz = async (address: string) => (await (await fetch(`${address}/readyz`)).json()) as Readyz

async function productOf(
  address: string,
  id: string,
): Promise<{ stock: number; pricePerVolumeYen: number } | undefined> {
  const response = await fetch(`${address}/api/products/${id}`)
  return response.status === 200
    ? ((await response.json()) as { data: { stock: number; pricePerVolumeYen: number } }).data
    : undefined
}

async function runImport(folder: string, servers: readonly string[], ...args: readonly string[]) {
  const own = { ...inherited(), DATA_DIR: join(folder, 'none'), MANGAASSIST_ADMIN_TOKEN: TOKEN }
  const urls = servers.flatMap((url) => ['--server', url])
  const child = spawn(process.execPath, [BIN, 'import', ...args, ...urls], { cwd: folder, env: own })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, printed }
}

test('a server answers during an import, then sells the new catalogue and answers from the new FAQ, also after a restart', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const file = join(folder.path, 'shop.jsonl')
  writeFileSync(file, [...many(400), ...sampleShelves()].map((product) => `${JSON.stringify(product)}\n`).join(''))
  const faq = join(folder.path, 'faq.yaml')
  const entry = { ...sampleFaq()[0], answer: { ja: '送料は一律七百七十円です。', en: 'Shipping is always 770 yen.' } }
  writeFileSync(faq, JSON.stringify([entry]))
  {
    await using server = await startServer({ dataDir, env })
    // In the middle of an import, which the next one discards.
    const client = clientOf(server.address)
    const { importId } = await client.beginImport({ kind: 'catalogue', source: 'first', ...why })
    await client.addImportRows(importId, { from: 0, rows: [...many(100)] })
    assert.match(await (await postChat(server.address, { message: 'AKIRAはありますか' })).text(), /AKIRA/)
    assert.equal(await productOf(server.address, 'series-1'), undefined)
    const importing = runImport(folder.path, [server.address], file, '--faq', faq)
    const asked = [
      '送料はいくらですか',
      '返品できますか',
      'おすすめは？',
      '鬼滅の刃はありますか',
      'How much is shipping?',
    ]
    const answers = await Promise.all(asked.map((message) => postChat(server.address, { message })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      asked.map(() => 200),
    )
    const { code, printed } = await importing
    assert.equal(code, 0, printed)
    assert.match(await (await postChat(server.address, { message: '配送料はいくらですか' })).text(), /七百七十円/)
    assert.equal((await readyz(server.address)).catalogue.products, 403)
    // Only the stock, without a new index.
    const stock = join(folder.path, 'stock.csv')
    writeFileSync(stock, 'id,priceYen,stock\none-piece,777,3\n')
    assert.equal((await runImport(folder.path, [server.address], '--stock', stock)).code, 0)
    const { pricePerVolumeYen, stock: left } = (await productOf(server.address, 'one-piece')) ?? {}
    assert.deepEqual([pricePerVolumeYen, left], [777, 3])
  }
  await using again = await startServer({ dataDir, env })
  assert.match(await (await postChat(again.address, { message: '配送料はいくらですか' })).text(), /七百七十円/)
  assert.equal((await productOf(again.address, 'one-piece'))?.stock, 3)
})

test('a server that is killed during an import has its old edition, whole, and takes the import again', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  let before: Readyz['catalogue'] | undefined
  {
    await using server = await startServer({ dataDir, env })
    before = (await readyz(server.address)).catalogue
    const client = clientOf(server.address)
    const { importId } = await client.beginImport({ kind: 'catalogue', source: 'shop', ...why })
    await client.addImportRows(importId, { from: 0, rows: [...many(100)] })
    const unfinished = client.addImportRows(importId, { from: 100, rows: many(300).slice(100) }).catch(() => {})
    await server.kill()
    await unfinished
  }
  await using server = await startServer({ dataDir, env })
  assert.deepEqual((await readyz(server.address)).catalogue, before)
  assert.equal(await productOf(server.address, 'series-1'), undefined)
  const client = clientOf(server.address)
  const { importId } = await client.beginImport({ kind: 'catalogue', source: 'shop', ...why })
  await client.addImportRows(importId, { from: 0, rows: [...many(30)] })
  await client.commitImport(importId, {})
  assert.equal((await readyz(server.address)).catalogue.products, 30)
  assert.notEqual(await productOf(server.address, 'series-1'), undefined)
})

test('nodes with different editions say so at /readyz and stay ready, until the others have the edition too', async () => {
  await using redis = await startRedis()
  await using folders = new AsyncDisposableStack()
  const start = async () => {
    const { path } = folders.use(await temporaryFolder())
    const cluster = { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' }
    return folders.use(await startServer({ dataDir: path, env: { ...env, ...cluster } }))
  }
  const [tokyo, osaka] = await Promise.all([start(), start()])
  const { path } = folders.use(await temporaryFolder())
  const file = join(path, 'shop.jsonl')
  writeFileSync(
    file,
    sampleShelves()
      .map((product) => `${JSON.stringify(product)}\n`)
      .join(''),
  )
  await waitUntil('both have said their edition', async () => {
    const seen = await Promise.all([tokyo, osaka].map(({ address }) => readyz(address)))
    return seen.every(({ catalogue }) => catalogue.others === undefined && catalogue.products > 100)
  })
  assert.equal((await runImport(path, [tokyo.address], file)).code, 0)
  const imported = (await readyz(tokyo.address)).catalogue.edition
  await waitUntil('each reports the other', async () => {
    const [one, other] = await Promise.all([tokyo, osaka].map(({ address }) => readyz(address)))
    return one?.catalogue.warning !== undefined && other?.catalogue.others?.[imported] === 1
  })
  assert.equal((await readyz(osaka.address)).status, 'ready')
  assert.equal((await runImport(path, [tokyo.address, osaka.address], file)).code, 0)
  await waitUntil('both have the same', async () => {
    const seen = await Promise.all([tokyo, osaka].map(({ address }) => readyz(address)))
    return seen.every(({ catalogue }) => catalogue.edition === imported && catalogue.others === undefined)
  })
})
