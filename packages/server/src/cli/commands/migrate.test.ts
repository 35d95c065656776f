// `mangaassist migrate` from a real folder to a real Redis: what is moved and compared, what is refused, and that a repeat is
// harmless. Every run is the command itself, in this process.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { lockDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { fillFolder } from '#fixtures/stores/filled-folder.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import type { RedisServer } from '#fixtures/stores/redis-server.ts'
import { refuseHalfMoved } from '#wiring/migration/marker.ts'
import { StartError } from '#wiring/start-error.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const CALL_MS = 30_000
const shop = mkdtempSync(join(tmpdir(), 'mangaassist-shop-'))
let server: RedisServer | undefined
let databases = 0

before(async () => {
  server = await startRedis()
  await fillFolder({ path: shop })
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  rmSync(shop, { recursive: true, force: true })
})

/** A copy of the folder, an empty Redis, and the command with both. */
async function prepared(context: TestContext) {
  const folder = join(mkdtempSync(join(tmpdir(), 'mangaassist-migrate-')), 'data')
  context.after(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  cpSync(shop, folder, { recursive: true })
  databases += 1
  const url = `${server?.url}/${databases}`
  const parts = { clock: systemClock(), random: systemRandom(), telemetry: memoryTelemetry() }
  const redis = await openRedis({ url, ...parts, callMs: CALL_MS, connectMs: CALL_MS })
  context.after(() => redis[Symbol.asyncDispose]())
  const run = async (args: readonly string[], env: Record<string, string> = {}) => {
    const terminal = fakeTerminal(context, { env: { DATA_DIR: folder, MANGA_STATE__REDIS: url, ...env } })
    const code = await main(['migrate', ...args], terminal)
    return { code, ...terminal.printed }
  }
  const keys = async () => Number(await redis.command(undefined, 'DBSIZE'))
  const change = (sql: string) => {
    using database = new DatabaseSync(join(folder, 'mangaassist.sqlite'))
    database.exec(sql)
  }
  return { folder, redis, run, keys, change }
}

test('a dry run says what would be moved, and writes nothing', async (context) => {
  const { folder, keys, run } = await prepared(context)
  const before = readFileSync(join(folder, 'mangaassist.sqlite'))
  const { code, err, out } = await run(['--dry-run'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^ {2}conversations +12 {2}to redis$/m)
  assert.match(out, /stays: 1 rows of days before \d{4}-\d\d-\d\d: redis keeps 100 days/)
  assert.match(out, /Nothing was written/)
  assert.equal(await keys(), 0)
  assert.deepEqual(readFileSync(join(folder, 'mangaassist.sqlite')), before)
})

test('before anything was moved, there is nothing to compare', async (context) => {
  const { keys, run } = await prepared(context)
  const { code, out } = await run(['--verify'])
  assert.equal(code, 1)
  assert.match(out, /\nNothing was moved to these stores yet: --apply moves it\.\n$/)
  assert.equal(await keys(), 0)
})

test('a shop is moved and compared, nodes may start afterwards, and a second run changes nothing', async (context) => {
  const { folder, keys, redis, run } = await prepared(context)
  const { code, err, out } = await run(['--apply'])
  assert.deepEqual([code, err], [0, ''], out)
  assert.equal(out.match(/all the same$/gm)?.length, 16)
  for (const part of ['conversations: 12', 'carts: 6', 'orders: 6', 'requests for a person: 3'])
    assert.match(out, new RegExp(`^ {2}${part} compared, all the same$`, 'm'))
  assert.doesNotMatch(out, /: 0 compared/, 'the folder has something of every part')
  assert.match(out, /Start the nodes now/)
  const { cookieKey } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { cookieKey: string }
  for (const name of ['account-key', 'cookie-key'])
    assert.equal(await redis.command(undefined, 'GET', `ma:{fleet}:${name}`), cookieKey)
  await refuseHalfMoved(redis)
  const stored = await keys()
  for (const args of [['--apply'], ['--verify'], ['--dry-run']]) assert.equal((await run(args)).code, 0)
  assert.equal(await keys(), stored)
})

test('of more turn records than the target keeps the newest are moved, in the lists of operators too', async (context) => {
  const { redis, run } = await prepared(context)
  const bounds = { MANGA_RETENTION__TURNRECORDSMAX: '10', MANGA_RETENTION__REFUSALSMAX: '2' }
  const { code, out } = await run(['--apply'], bounds)
  assert.equal(code, 0, out)
  assert.match(out, /^ {2}stays: the oldest 23 turn records: redis keeps 10$/m)
  assert.match(out, /^ {2}turn records: 10 compared, all the same$/m)
  assert.match(out, /^ {2}records of refusals: 2 compared, all the same$/m)
  assert.equal(((await redis.command(undefined, 'KEYS', 'ma:{turn:*}:record')) as string[]).length, 12)
  // A record that no list has is not found by operators.
  const [index = ''] = (await redis.command(undefined, 'KEYS', 'ma:{turn-records:*}')) as string[]
  await redis.command(undefined, 'DEL', index)
  assert.match((await run(['--verify'], bounds)).out, /^ {2}turn records: 10 compared, 10 different$/m)
})

test('what each node of the cluster stores for itself is not moved', async (context) => {
  const { redis, run } = await prepared(context)
  const { code, out } = await run(['--apply'], { MANGA_STORES__ESTIMATORS: 'sqlite' })
  assert.equal(code, 0, out)
  assert.doesNotMatch(out, /calibrations/)
  assert.deepEqual(await redis.command(undefined, 'KEYS', '*{estimator*'), [])
})

test('a run that was interrupted is continued, and until then no node starts', async (context) => {
  const { redis, run } = await prepared(context)
  assert.equal((await run(['--apply'])).code, 0)
  // As if it had been killed halfway: what a script writes is on one slot, so every other slot is emptied. It is continued hours later:
  // the ids of batches are forgotten by then.
  await redis.command(undefined, 'HDEL', 'ma:{fleet}:migration', 'completeAt')
  const batches = (await redis.command(undefined, 'KEYS', 'ma:{model-history-*}:*')) as readonly string[]
  await redis.command(undefined, 'DEL', ...batches)
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  const slots = Map.groupBy(keys, (key) => /\{(.*?)\}/.exec(key)?.[1])
  slots.delete('fleet')
  for (const slot of [...slots.values()].filter((_, index) => index % 2 === 0))
    await redis.command(undefined, 'DEL', ...slot)
  await assert.rejects(refuseHalfMoved(redis), StartError)
  const again = await run(['--apply'])
  assert.match(again.out, /A run that was interrupted is continued/)
  assert.equal(again.code, 0, `${again.out}${again.err}`)
  await refuseHalfMoved(redis)
})

test('a difference is reported with its place, fails the command, and lets no node start', async (context) => {
  const { redis, run } = await prepared(context)
  await run(['--apply'])
  await redis.command(undefined, 'HDEL', 'ma:{fleet}:migration', 'completeAt')
  await redis.command(undefined, 'HSET', 'ma:{user:guest_2}:sess:sess_2', 'title', 'changed')
  await redis.command(undefined, 'LSET', 'ma:{user:guest_3}:sess:sess_3:turns', '1', '{"turnId":"other"}')
  const cart = String(await redis.command(undefined, 'GET', 'ma:{user:guest_2}:cart'))
  await redis.command(undefined, 'SET', 'ma:{user:guest_2}:cart', cart.replace('"version":1', '"version":2'), 'KEEPTTL')
  const order = String(await redis.command(undefined, 'HGET', 'ma:{user:guest_4}:orders', 'order_4'))
  await redis.command(undefined, 'HSET', 'ma:{user:guest_4}:orders', 'order_4', order.replace('1930', '1931'))
  await redis.command(undefined, 'ZREM', 'ma:{handovers}:of:guest_2', 'hand_taken')
  await redis.command(undefined, 'HSET', 'ma:{alarms}:state', 'state', '{}')
  const [step = ''] = (await redis.command(undefined, 'KEYS', 'ma:{model-history-*}')) as string[]
  await redis.command(undefined, 'HINCRBY', step, 'count ["primary","calls"]', '1')
  const [day = ''] = (await redis.command(undefined, 'KEYS', 'ma:{ledger:*}')) as string[]
  const row = JSON.parse(String(await redis.command(undefined, 'HGET', day, 'turn_2_0/1'))) as object
  await redis.command(undefined, 'HSET', day, 'turn_2_0/1', JSON.stringify({ ...row, costMicroUsd: 1 }))
  const { code, out } = await run(['--apply'])
  assert.equal(code, 1)
  assert.match(out, /^ {4}sess_2: the head$/m)
  assert.match(out, /^ {4}sess_3: its turns$/m)
  assert.match(out, /^ {2}carts: 6 compared, 1 different\n {4}guest_2$/m)
  assert.match(out, /^ {2}requests for a person: 3 compared, 1 different\n {4}hand_taken$/m)
  assert.match(out, /^ {2}state of alarms, with silences: 1 compared, 1 different$/m)
  assert.match(out, /^ {2}model history: quarters of an hour: 3 compared, 1 different$/m)
  assert.match(out, /^ {2}orders: 6 compared, 1 different\n {4}order_4$/m)
  assert.match(out, /^ {4}\d{4}-\d\d-\d\d: \d+ rows and \d+ micro-dollars, moved \d+ rows/m)
  await assert.rejects(refuseHalfMoved(redis), StartError)
})

test('a Redis that nodes have started on is refused, and stays as it is', async (context) => {
  const { keys, redis, run } = await prepared(context)
  await redis.command(undefined, 'SET', 'ma:{fleet}:account-key', 'of the cluster')
  for (const args of [['--dry-run'], ['--apply']]) {
    const { code, err, out } = await run(args)
    assert.equal(code, 1)
    assert.match(`${out}${err}`, /Nodes have started on this Redis/)
  }
  assert.equal(await keys(), 1)
})

test('a second shop is refused, and so is one that was served from since its move began', async (context) => {
  const { change, folder, redis, run } = await prepared(context)
  assert.equal((await run(['--apply'])).code, 0)
  const secrets = readFileSync(join(folder, 'secrets.json'), 'utf8')
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ cookieKey: 'A'.repeat(43) }))
  assert.match((await run(['--apply'])).err, /Another shop was moved/)
  writeFileSync(join(folder, 'secrets.json'), secrets)
  await redis.command(undefined, 'HDEL', 'ma:{fleet}:migration', 'completeAt')
  change(`UPDATE sessions SET last_active_at = last_active_at + 60000 WHERE id = 'sess_1'`)
  const { code, err } = await run(['--apply'])
  assert.equal(code, 1)
  assert.match(err, /served from since its move began/)
})

test('a folder in use, without a store, or without its key is refused', async (context) => {
  const { folder, keys, run } = await prepared(context)
  {
    using _lock = lockDataDir(folder)
    assert.match((await run(['--apply'])).err, /is in use by process \d+\. Stop that server with SIGTERM/)
  }
  const missing = join(folder, 'not-there')
  assert.match((await run(['--apply', '--from', missing])).err, /There is no database/)
  assert.equal(existsSync(missing), false)
  rmSync(join(folder, 'secrets.json'))
  assert.match((await run(['--apply'])).err, /without its key/)
  assert.equal(await keys(), 0)
})

test('answers that are not finished are refused with their number', async (context) => {
  const { change, run } = await prepared(context)
  change(`UPDATE turns SET ended_at = NULL WHERE id IN ('turn_1_0', 'turn_2_0')`)
  const { code, err } = await run(['--apply'])
  assert.equal(code, 1)
  assert.match(err, /^2 answers are not finished/)
})

test('a damaged folder is refused, also when the damage is found on the way', async (context) => {
  const { change, folder, redis, run } = await prepared(context)
  change(`UPDATE calibrations SET calibration = '{'`)
  const { code, err } = await run(['--apply'])
  assert.equal(code, 1)
  assert.match(err, /is damaged: column calibration cannot be read/)
  await assert.rejects(refuseHalfMoved(redis), StartError)
  const path = join(folder, 'mangaassist.sqlite')
  const bytes = readFileSync(path)
  bytes.fill(7, 3 * 4096, 30 * 4096)
  writeFileSync(path, bytes)
  assert.match((await run(['--apply'])).err, /is damaged/)
})

test('with keys in the environment no cookie key is moved, and one that is missing is reported', async (context) => {
  const { folder, redis, run } = await prepared(context)
  const other = Buffer.alloc(32, 1).toString('base64url')
  const { cookieKey } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { cookieKey: string }
  const without = await run(['--dry-run'], { MANGA_COOKIE_KEY: other })
  assert.match(without.out, /MANGA_COOKIE_KEY does not have it/)
  const moved = await run(['--apply'], { MANGA_COOKIE_KEY: `${other},${cookieKey}` })
  assert.equal(moved.code, 0)
  assert.doesNotMatch(moved.out, /does not have it/)
  assert.equal(await redis.command(undefined, 'GET', 'ma:{fleet}:cookie-key'), null)
})

test('without a cluster, or without saying what to do, nothing is done', async (context) => {
  const { run } = await prepared(context)
  assert.equal((await run([])).code, 2)
  assert.equal((await run(['--apply', '--verify'])).code, 2)
  const terminal = fakeTerminal(context)
  assert.equal(await main(['migrate', '--apply'], terminal), 1)
  assert.match(terminal.printed.err, /Set state\.redis/)
})
