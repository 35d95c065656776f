// A server with an embedder: the catalogue is embedded in the background, questions are compared by its vectors, the cost is in the
// ledger, and operators see what gives the meaning score.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDataDir } from '../../src/adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '../../src/adapters/sqlite/files/database.ts'
import { sqliteProductStore } from '../../src/adapters/sqlite/product-store/product-store.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { systemRandom } from '../../src/adapters/system/random.ts'
import { main } from '../../src/cli/main.ts'
import { fakeTerminal } from '../../src/cli/testing/fake-terminal.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const ID = 'cohere.embed-multilingual-v3'

interface Ready {
  readonly dependencies: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

async function setUp(context: TestContext) {
  const simulator = await startSimulator({ clock: systemClock() })
  context.after(() => simulator.close())
  const folder = await temporaryFolder()
  context.after(() => folder[Symbol.asyncDispose]())
  using dataDir = openDataDir({ path: folder.path, random: systemRandom() })
  const database = openDatabase({ path: dataDir.databasePath, clock: systemClock() })
  await sqliteProductStore({ database }).replaceAll(sampleShelves(), 'test')
  await sqliteProductStore({ database }).changeOffers([], { source: 'test', faq: sampleFaq() })
  database.close()
  const env = {
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    MANGA_SEARCH__EMBEDDER__PROVIDER: 'bedrock',
    MANGA_SEARCH__EMBEDDER__ID: ID,
    MANGA_SEARCH__EMBEDDER__BASEURL: simulator.url,
    MANGA_ANSWERS__FIRSTWORDMS: '10000',
    MANGA_SEARCH__EMBEDDER__QUESTIONMS: '3000',
    // A price at which a few texts cost something.
    MANGA_SEARCH__EMBEDDER__PRICE: '1000',
  }
  const command = async (...args: readonly string[]) => {
    const terminal = fakeTerminal(context, { env: { ...env, DATA_DIR: folder.path } })
    return { code: await main([...args], terminal), ...terminal.printed }
  }
  return { simulator, folder, env, command }
}

test('embedded in the background, used by searches, paid by the shop, and shown to operators', async (context) => {
  const { command, env, folder, simulator } = await setUp(context)
  const server = await startServer({ dataDir: folder.path, env })
  context.after(() => server[Symbol.asyncDispose]())
  const text = async (path: string) => (await fetch(`${server.address}${path}`)).text()
  const embedder = async () => (JSON.parse(await text('/readyz')) as Ready).dependencies['embedder']
  await waitUntil('everything is embedded', async () => (await embedder())?.['status'] === 'ok')
  const shown = { status: 'ok', model: ID, meaningBy: 'embedder', documents: 5, embedded: 5 }
  assert.deepEqual(await embedder(), shown)

  const asked = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ message: 'a manga about a boy who becomes a swordsman' })
  assert.equal((await fetch(`${server.address}/api/chat`, { ...asked, body })).status, 200)
  assert.ok(simulator.attempts().some(({ body: sent }) => JSON.stringify(sent).includes('search_query')))
  const metrics = await text('/metrics')
  assert.match(metrics, /embedder_questions_total\{outcome="embedded"\} [1-9]/u)
  assert.match(metrics, /embedder_documents\{state="missing"\} 0/u)
  assert.match(metrics, /lane_circuit_state\{lane="embedder"\} 0/u)

  const explained = await command('search', 'a boy becomes a swordsman', '--explain')
  assert.match(explained.out, new RegExp(`meaning score by the embedder ${ID}`, 'u'))
  const json = JSON.parse((await command('search', 'a swordsman', '--explain', '--json')).out) as object
  assert.deepEqual('meaningBy' in json && json.meaningBy, { by: 'embedder', model: ID })
  assert.match((await command('doctor', '--live')).out, /✓ embedder: bedrock cohere.*1024 dimensions: answered within/u)

  await server[Symbol.asyncDispose]()
  const usage = await command('usage', '--by', 'session,model', '--json')
  assert.match(usage.out, /"embedding"/u, usage.err)
  assert.match(usage.out, new RegExp(ID, 'u'))
})

test('a vendor that is down at the start: the shop serves by words, and says so', async (context) => {
  const { command, env, folder, simulator } = await setUp(context)
  simulator.faults({ fault: 'error', error: 'access-denied' })
  const server = await startServer({ dataDir: folder.path, env })
  context.after(() => server[Symbol.asyncDispose]())
  const embedder = async () =>
    ((await (await fetch(`${server.address}/readyz`)).json()) as Ready).dependencies['embedder']
  await waitUntil('the failure is shown', async () => (await embedder())?.['reason'] !== undefined)
  const { meaningBy, reason, status } = (await embedder()) ?? {}
  assert.deepEqual([status, meaningBy], ['degraded', 'words'])
  assert.match(String(reason), /^access-denied: /u)
  const { status: answered } = await fetch(`${server.address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: '鬼滅の刃' }),
  })
  assert.equal(answered, 200)
  const explained = await command('search', 'a swordsman', '--explain')
  assert.match(explained.out, /meaning score by vectors of words, not the embedder cohere.*: 0 of 5 series/u)
  assert.match((await command('doctor', '--live')).out, /✗ embedder: .*access-denied/u)
})
