// A configuration on trial: it knows the shop's own catalogue, leaves the shop's folder alone, and its limits stop no evaluation.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store/product-store.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { openTrial } from './trial.ts'

test('the shop’s own catalogue is searched, and its folder stays as it is', async (context) => {
  const folder = tempDir(context)
  const path = join(folder, 'data')
  const [product] = sampleShelves()
  assert.ok(product !== undefined)
  const title = { ja: '銀河の八百屋さん', en: 'The Grocer of the Galaxy' }
  {
    using dataDir = openDataDir({ path, random: systemRandom() })
    const database = openDatabase({ path: dataDir.databasePath, clock: systemClock(), sync: 'aside' })
    await sqliteProductStore({ database }).replaceAll(
      [{ ...product, id: 'grocer', title: { ...title, romaji: 'Ginga no Yaoya-san' } }],
      'own',
    )
    database.close()
  }
  const names = readdirSync(path)
  const changedAt = () => names.map((name) => statSync(join(path, name)).mtimeMs)
  const before = changedAt()
  await using trial = await openTrial({ env: { DATA_DIR: path }, workspaceRoot: folder })
  assert.deepEqual([...trial.products.keys()], ['grocer'])
  const { meta, text } = await trial.converse()({ message: '銀河の八百屋さんはいくら？', interfaceLanguage: 'ja' })
  assert.deepEqual(
    meta?.products.map(({ id }) => id),
    ['grocer'],
  )
  assert.match(text, /銀河の八百屋さん/)
  assert.deepEqual(changedAt(), before)
})

test('many questions of one shopper are answered, and every turn is recorded with what it asks', async (context) => {
  const folder = tempDir(context)
  const config = { tiers: { free: { requestsPerMinute: 1 } }, rates: { userBurst: 1, userPerSecond: 0.01 } }
  writeFileSync(join(folder, 'mangaassist.config.ts'), `export default ${JSON.stringify(config)}`)
  const path = join(folder, 'data')
  const trial = await openTrial({ env: { DATA_DIR: path }, workspaceRoot: folder, withoutVendors: true })
  const ask = trial.converse()
  for (const message of ['Hello!', 'Hello!', 'How much is Berserk?']) {
    const { done } = await ask({ message, interfaceLanguage: 'en' })
    assert.equal(done?.finishReason, 'stop')
  }
  const records = await trial.finish()
  assert.deepEqual(
    records.map(({ position, weighed }) => [position, weighed?.plain]),
    [
      [0, []],
      [1, []],
      [2, ['price']],
    ],
  )
  assert.ok(records.every(({ weighed }) => (weighed?.promptTokens ?? 0) > 100))
  await trial[Symbol.asyncDispose]()
  assert.equal(existsSync(path), false)
})

test('a question is weighed with the sureness of the configuration, as the router does', async (context) => {
  const levelBy = async (sureFrom: number) => {
    const folder = tempDir(context)
    writeFileSync(join(folder, 'mangaassist.config.ts'), `export default ${JSON.stringify({ routing: { sureFrom } })}`)
    const env = { DATA_DIR: join(folder, 'data') }
    await using trial = await openTrial({ env, workspaceRoot: folder, withoutVendors: true })
    await trial.converse()({ message: 'How much is Berserk?', interfaceLanguage: 'en' })
    const asked = { message: 'How much is Berserk?', language: 'en', history: [], limit: 5 } as const
    const { reading } = await trial.lookUp.find(asked, NEVER)
    const [record] = await trial.finish()
    return [trial.weigh(asked.message, reading), record?.weighed?.judged.level]
  }
  assert.deepEqual(await levelBy(1), ['complex', 'complex'])
  const [weighed, routed] = await levelBy(0.5)
  assert.equal(weighed, routed)
  assert.notEqual(weighed, 'complex')
})
