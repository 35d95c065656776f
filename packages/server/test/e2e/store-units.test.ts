// What a turn costs in the shared stores: calls and capacity units of DynamoDB by table, round trips to Redis. A change that makes
// turns dearer fails here; docs/capacity.md says what the figures mean in money.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { cookieOf, inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const ADMIN = 'maa_of_the_units'
const CONVERSATIONS = 4
const TURNS_EACH = 4
const TURNS = CONVERSATIONS * TURNS_EACH

/** The most that a turn may cost: a quarter above what was measured, and more where the time that the test takes counts too. */
const MOST: Readonly<Record<string, { readonly calls: number; readonly read: number; readonly write: number }>> = {
  sessions: { calls: 6.5, read: 5, write: 9 },
  // The reads are a user's, once a day, before the first grant: five or six calls.
  ledger: { calls: 3, read: 1, write: 3.75 },
  // Every node reads the pointer each two seconds, whether there are turns or not.
  products: { calls: 2, read: 2, write: 0.25 },
}
/** Beside what a node runs without any turn. */
const SCRIPTS_MAX = 26
const IDLE_SCRIPTS = 40

test('a turn costs no more of DynamoDB and Redis than it did', async () => {
  await using redis = await startRedis()
  await using dynamo = await startDynamo()
  await using folder = await temporaryFolder()
  const env = {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    MANGA_STATE__REDIS: redis.url,
    MANGA_STATE__CALLMS: '10000',
    MANGA_DYNAMODB__ENDPOINT: dynamo.url,
    MANGA_DYNAMODB__CALLMS: '10000',
    MANGA_DYNAMODB__TABLEPREFIX: `units-${process.pid}`,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_STORES__PRODUCTS: 'dynamodb',
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'units', hash: secretHash(ADMIN) }]),
  }
  execFileSync(process.execPath, [BIN, 'setup', '--apply'], { env: { ...inherited(), ...env }, cwd: folder.path })
  await using server = await startServer({ dataDir: join(folder.path, 'data'), env })
  const units = async () => {
    const headers = { authorization: `Bearer ${ADMIN}` }
    const text = await (await fetch(`${server.address}/metrics`, { headers })).text()
    const found = text.matchAll(/^mangaassist_dynamodb_units_(sum|count)\{kind="(read|write)",table="(\w+)"\} (\S+)$/gm)
    return new Map([...found].map(([, what, kind, table, value]) => [`${table} ${kind} ${what}`, Number(value)]))
  }
  const cli = (...args: readonly string[]) =>
    execFileSync(process.env['REDIS_CLI'] ?? 'redis-cli', ['-p', String(redis.port), ...args], { encoding: 'utf8' })
  const scripts = () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(cli('INFO', 'commandstats'))?.[1] ?? 0)
  // On an empty Redis the first node reads the ledger once, before any turn.
  await waitUntil('the ceilings of the day are restored', () => {
    const [task = ''] = cli('KEYS', 'ma:{task:restore-spending*').split('\n')
    return task !== '' && cli('HGET', task, 'progress').trim() === 'done'
  })
  const idle = { from: performance.now(), scripts: scripts() }
  await waitUntil('the scripts of a node without turns are counted', () => scripts() - idle.scripts >= IDLE_SCRIPTS)
  const idlePerMs = (scripts() - idle.scripts) / (performance.now() - idle.from)
  const from = performance.now()
  const [unitsBefore, scriptsBefore] = [await units(), scripts()]
  for (let conversation = 0; conversation < CONVERSATIONS; conversation += 1) {
    let headers: Record<string, string> = {}
    let session = {}
    for (let turn = 0; turn < TURNS_EACH; turn += 1) {
      const message = `泣ける漫画を教えて ${conversation} ${turn}`
      const response = await postChat(server.address, { message, ...session }, headers)
      assert.equal(response.status, 200)
      if (turn === 0) headers = { cookie: cookieOf(response) }
      session = { sessionId: ((await response.json()) as { data: { sessionId: string } }).data.sessionId }
    }
  }
  const written = async () => {
    const now = await units()
    return (now.get('ledger write count') ?? 0) - (unitsBefore.get('ledger write count') ?? 0)
  }
  await waitUntil('every turn is in the ledger', async () => (await written()) >= TURNS)
  const after = await units()
  const perTurn = (key: string) => ((after.get(key) ?? 0) - (unitsBefore.get(key) ?? 0)) / TURNS
  for (const [table, most] of Object.entries(MOST)) {
    const calls = perTurn(`${table} read count`) + perTurn(`${table} write count`)
    const used = { calls, read: perTurn(`${table} read sum`), write: perTurn(`${table} write sum`) }
    const figures = JSON.stringify({ table, used, most })
    assert.ok(used.calls <= most.calls && used.read <= most.read && used.write <= most.write, figures)
  }
  const ran = (scripts() - scriptsBefore - idlePerMs * (performance.now() - from)) / TURNS
  assert.ok(ran <= SCRIPTS_MAX, `${ran} scripts`)
  assert.ok(perTurn('sessions write sum') > 1 && perTurn('ledger write sum') >= 1, 'the stores are used at all')
})
