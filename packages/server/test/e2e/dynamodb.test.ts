// Real servers whose conversations are in DynamoDB: on one machine and on a cluster with Redis. `setup` makes the table, without it
// no server starts, and while DynamoDB does not answer, shoppers still get their answers, which are stored afterwards whatever happens
// to the node.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import { sessionsTable } from '#adapters/aws/dynamodb/session-store/table.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { makeTables, TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cookieOf, inherited, launch, postChat, startServer, temporaryFolder } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
/** What a node left is taken up after its lease, which a busy machine makes longer. */
const TIMEOUT_MS = 300_000
const dynamo = await startDynamo()
after(() => dynamo[Symbol.asyncDispose]())

function settings(tablePrefix: string, more: Readonly<Record<string, string>> = {}) {
  return {
    AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_DYNAMODB__REGION: TEST_REGION,
    MANGA_DYNAMODB__ENDPOINT: dynamo.url,
    MANGA_DYNAMODB__TABLEPREFIX: tablePrefix,
    // The machine is busy.
    MANGA_DYNAMODB__CALLMS: '10000',
    ...more,
  }
}

function applySetup(dataDir: string, env: Readonly<Record<string, string>>): void {
  const options = { cwd: dataDir, env: { ...inherited(), DATA_DIR: dataDir, ...env }, encoding: 'utf8' } as const
  const { status, stderr, stdout } = spawnSync(process.execPath, [BIN, 'setup', '--apply'], options)
  assert.equal(status, 0, `${stdout}${stderr}`)
}

interface Asked {
  readonly sessionId: string
  readonly text: string
  readonly unsaved?: boolean | undefined
}

async function ask(address: string, body: object, cookie?: string): Promise<Asked & { readonly cookie: string }> {
  const response = await postChat(address, body, cookie === undefined ? {} : { cookie })
  assert.equal(response.status, 200)
  const { data, metadata } = (await response.json()) as { data: Asked; metadata: { unsaved?: boolean } }
  return { ...data, unsaved: metadata.unsaved, cookie: cookie ?? cookieOf(response) }
}

async function read<Data>(address: string, path: string, cookie: string): Promise<Data> {
  const response = await fetch(`${address}${path}`, { headers: { cookie } })
  assert.equal(response.status, 200, path)
  return ((await response.json()) as { data: Data }).data
}

async function turnsOf(address: string, { cookie, sessionId }: { cookie: string; sessionId: string }) {
  return (await read<{ turns: { answer: string }[] }>(address, `/api/sessions/${sessionId}`, cookie)).turns
}

async function dynamoStatus(address: string): Promise<string | undefined> {
  const response = await fetch(`${address}/readyz`)
  const { dependencies } = (await response.json()) as { dependencies: { dynamodb?: { status: string } } }
  return dependencies.dynamodb?.status
}

test('on one machine: no start without the table; after setup a conversation outlives the process', async () => {
  await using folder = await temporaryFolder()
  const env = settings('one-machine')
  const refused = launch({ dataDir: folder.path, env })
  assert.equal((await refused.exited).code, 1)
  assert.match(refused.stderr(), /no table one-machine-sessions.*mangaassist setup --apply/)
  assert.doesNotMatch(refused.stderr(), /^\s+at /m)

  applySetup(folder.path, env)
  await using first = await startServer({ dataDir: folder.path, env })
  assert.equal(await dynamoStatus(first.address), 'ok')
  const asked = await ask(first.address, { message: '鬼滅の刃はありますか？' })
  await ask(first.address, { message: '全巻でいくら？', sessionId: asked.sessionId }, asked.cookie)
  await first.kill()
  await using second = await startServer({ dataDir: folder.path, env })
  assert.deepEqual(
    (await turnsOf(second.address, asked)).map(({ answer }) => answer.length > 0),
    [true, true],
  )
})

test('on a cluster: any node continues a conversation, and while DynamoDB does not answer, shoppers are answered', async () => {
  await using redis = await startRedis()
  await using folders = new AsyncDisposableStack()
  const [one, other] = [folders.use(await temporaryFolder()), folders.use(await temporaryFolder())]
  const env = settings('cluster', { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' })
  await makeTables(dynamo.url, 'cluster', [sessionsTable])
  await using tokyo = await startServer({ dataDir: one.path, env: { ...env, MANGA_DYNAMODB__CALLMS: '1000' } })
  await using osaka = await startServer({ dataDir: other.path, env })
  const asked = await ask(tokyo.address, { message: '鬼滅の刃はありますか？' })
  await ask(osaka.address, { message: '全巻でいくら？', sessionId: asked.sessionId }, asked.cookie)
  for (const { address } of [tokyo, osaka]) {
    assert.equal((await turnsOf(address, asked)).length, 2)
    const listed = await read<{ sessionId: string }[]>(address, '/api/sessions', asked.cookie)
    assert.deepEqual(
      listed.map(({ sessionId }) => sessionId),
      [asked.sessionId],
    )
  }

  await dynamo.pause()
  try {
    const { text, unsaved } = await ask(
      tokyo.address,
      { message: '作者は誰？', sessionId: asked.sessionId },
      asked.cookie,
    )
    assert.deepEqual([text.length > 0, unsaved], [true, true])
    assert.equal(await dynamoStatus(tokyo.address), 'down')
  } finally {
    dynamo.resume()
  }
  await waitUntil('the turn is stored', async () => (await turnsOf(osaka.address, asked)).length === 3)
})

test(
  'a turn that ended while DynamoDB did not answer is stored and booked, although its node was killed or drained',
  { timeout: TIMEOUT_MS },
  async () => {
    await using redis = await startRedis()
    await using folders = new AsyncDisposableStack()
    const admin = 'maa_of_the_outage'
    const env = settings('outage', {
      MANGA_STATE__REDIS: redis.url,
      MANGA_STATE__CALLMS: '10000',
      MANGA_STORES__LEDGER: 'dynamodb',
      MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'e2e', hash: secretHash(admin) }]),
    })
    await makeTables(dynamo.url, 'outage', [sessionsTable, ledgerTable])
    const start = async (callMs: string) =>
      startServer({
        dataDir: folders.use(await temporaryFolder()).path,
        env: { ...env, MANGA_DYNAMODB__CALLMS: callMs },
      })
    await using tokyo = await start('500')
    await using osaka = await start('500')
    await using kyoto = await start('10000')
    const asked = await ask(kyoto.address, { message: '鬼滅の刃はありますか？' })
    const again = (address: string, message: string) =>
      ask(address, { message, sessionId: asked.sessionId }, asked.cookie)

    await dynamo.pause()
    try {
      assert.equal((await again(tokyo.address, '作者は誰？')).unsaved, true)
      assert.equal((await again(osaka.address, '何巻ありますか？')).unsaved, true)
      await tokyo.kill()
      osaka.child.kill('SIGTERM')
      await osaka.exited
    } finally {
      dynamo.resume()
    }
    await waitUntil('the turns are stored', async () => (await turnsOf(kyoto.address, asked)).length === 3, 120_000)
    await waitUntil('the turns are booked', async () => {
      const usage = await fetch(`${kyoto.address}/api/admin/usage`, { headers: { authorization: `Bearer ${admin}` } })
      const { data } = (await usage.json()) as { data: { totals: { rows: number } } }
      assert.ok(data.totals.rows <= 3, 'each once')
      return data.totals.rows === 3
    })
  },
)
