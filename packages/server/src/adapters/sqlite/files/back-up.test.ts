// Makes a backup during writes and restores it into a new folder: ledger and conversations must be the same.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow, sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { backUpDataDir, restoreDataDir } from './back-up.ts'
import { DataDirError } from './data-dir-error.ts'
import { openDataDir } from './data-dir.ts'
import { openDatabase } from './database.ts'
import { sqliteLedger } from '../ledger/ledger.ts'
import { sqliteSessionStore } from '../session-store/session-store.ts'

const clock = manualClock()
const modeOf = (path: string) => statSync(path).mode & 0o777
const refused = (words: RegExp) => (error: unknown) => error instanceof DataDirError && words.test(error.message)

function openStore(context: TestContext, path: string) {
  const dataDir = openDataDir({ path, random: seededRandom(1) })
  const database = openDatabase({ path: dataDir.databasePath, clock })
  const close = () => {
    database.close()
    dataDir[Symbol.dispose]()
  }
  context.after(close)
  const sessions = sqliteSessionStore({ database, clock })
  return { path, dataDir, database, sessions, ledger: sqliteLedger({ database, clock }), close }
}

async function filled(context: TestContext) {
  const store = openStore(context, join(tempDir(context), 'data'))
  await store.sessions.create(sampleSession())
  for (let turn = 0; turn < 20; turn += 1) {
    await store.sessions.append('sess_1', turn, sampleStoredTurn({ turnId: `turn_${turn}` }))
    await store.ledger.record([sampleLedgerRow({ turnId: `turn_${turn}`, costMicroUsd: turn })])
  }
  return store
}

test('a backup made during writes has everything acknowledged before it, and restores into a new folder', async (context) => {
  const store = await filled(context)
  const folder = join(tempDir(context), 'backup')
  const going = Array.from({ length: 200 }, (_, index) =>
    store.ledger.record([sampleLedgerRow({ turnId: `late_${index}` })]),
  )
  const { bytes } = await backUpDataDir(store.path, folder)
  await Promise.all(going)
  assert.ok(bytes > 0)
  assert.deepEqual(readdirSync(folder).toSorted(), ['mangaassist.sqlite', 'secrets.json'])
  for (const file of readdirSync(folder)) assert.equal(modeOf(join(folder, file)), 0o600, file)
  const fresh = join(tempDir(context), 'fresh')
  restoreDataDir(folder, fresh, { force: false })
  const restored = openStore(context, fresh)
  assert.equal(restored.dataDir.secrets.cookieKey, store.dataDir.secrets.cookieKey)
  assert.deepEqual(await restored.sessions.find('sess_1'), await store.sessions.find('sess_1'))
  assert.deepEqual(await restored.sessions.recentTurns('sess_1', 100), await store.sessions.recentTurns('sess_1', 100))
  const own = async (ledger: typeof store.ledger) =>
    (await ledger.page({}, 1000)).filter(({ turnId }) => turnId.startsWith('turn_'))
  assert.deepEqual(await own(restored.ledger), await own(store.ledger))
  assert.equal((await own(restored.ledger)).length, 20)
})

test('a backup is made only in a new folder, and a failed one leaves nothing behind', async (context) => {
  const store = await filled(context)
  const folder = join(tempDir(context), 'full')
  mkdirSync(folder)
  writeFileSync(join(folder, 'something'), '')
  await assert.rejects(backUpDataDir(store.path, folder), refused(/not empty/))
  const damaged = tempDir(context)
  writeFileSync(join(damaged, 'mangaassist.sqlite'), 'no database'.repeat(1000))
  const other = join(tempDir(context), 'other')
  await assert.rejects(backUpDataDir(damaged, other), /not a database/)
  assert.deepEqual(readdirSync(other), [])
  await assert.rejects(backUpDataDir(tempDir(context), other), refused(/nothing to back up/))
})

test('a folder that its file system refuses to make is reported', async (context) => {
  const { path } = await filled(context)
  await assert.rejects(backUpDataDir(path, '/proc/x/y'), refused(/cannot be made/))
})

test('restore refuses a running server, an existing store, and a folder that is not a backup', async (context) => {
  const store = await filled(context)
  const folder = join(tempDir(context), 'backup')
  await backUpDataDir(store.path, folder)
  assert.throws(() => restoreDataDir(folder, store.path, { force: true }), refused(/in use by process/))
  assert.throws(
    () => restoreDataDir(tempDir(context), join(tempDir(context), 'x'), { force: false }),
    refused(/no backup/),
  )
  store.close()
  assert.throws(() => restoreDataDir(folder, store.path, { force: false }), refused(/--force/))
  const before = readFileSync(join(store.path, 'mangaassist.sqlite'))
  restoreDataDir(folder, store.path, { force: true })
  assert.deepEqual(readFileSync(join(store.path, 'mangaassist.sqlite.before-restore')), before)
  assert.ok(!existsSync(join(store.path, 'mangaassist.sqlite-wal')))
  assert.equal((await openStore(context, store.path).ledger.totals({})).rows, 20)
})

test('a damaged backup is refused, and the existing store stays', async (context) => {
  const store = await filled(context)
  const folder = join(tempDir(context), 'backup')
  await backUpDataDir(store.path, folder)
  store.close()
  const path = join(folder, 'mangaassist.sqlite')
  writeFileSync(path, readFileSync(path).subarray(0, 8192))
  const before = readFileSync(join(store.path, 'mangaassist.sqlite'))
  assert.throws(() => restoreDataDir(folder, store.path, { force: true }), refused(/damaged/))
  assert.deepEqual(readFileSync(join(store.path, 'mangaassist.sqlite')), before)
})
