// `mangaassist migrate` with real processes: a shop that was served from one folder is served by a node on Redis afterwards, with
// the same guests, conversations, carts and budgets; and a move that is killed is continued.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { fillFolder } from '#fixtures/stores/filled-folder.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { cookieOf, inherited, launch, postChat, startServer, temporaryFolder } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const TOKEN = 'maa_migrate'
/** So many that a move is not over when this process, on a busy machine, gets to kill it. */
const CONVERSATIONS = 900
const ENV = {
  MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
  MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
  MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
  // A busy machine takes its time between the two servers.
  MANGA_IDEMPOTENCY__AFTERENDMS: '3600000',
  // The keys of the other questions have expired when the node starts.
  MANGA_IDEMPOTENCY__DOUBLETAPMS: '1',
}

function commandEnv(dataDir: string, redis: string) {
  return { ...inherited(), DATA_DIR: dataDir, MANGA_STATE__REDIS: redis, ...ENV }
}

async function migrate(folder: { readonly dataDir: string; readonly redis: string }, ...args: readonly string[]) {
  const env = commandEnv(folder.dataDir, folder.redis)
  const run = promisify(execFile)(process.execPath, [BIN, 'migrate', ...args], { cwd: folder.dataDir, env })
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

async function shown(address: string, path: string, headers: Record<string, string>) {
  const response = await fetch(`${address}${path}`, { headers })
  assert.equal(response.status, 200, path)
  const { data } = (await response.json()) as { data: object }
  return data
}

async function sent(url: string, cookie: string, body: object): Promise<void> {
  const headers = { cookie, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(response.status, 200, url)
}

/** All that a guest and the operators can see, without times of the question itself. */
async function seen(address: string, cookie: string) {
  const admin = { authorization: `Bearer ${TOKEN}` }
  return {
    exported: { ...(await shown(address, '/api/me/export', { cookie })), exportedAt: '' },
    // Short-term rates are in memory on one machine.
    quota: { ...(await shown(address, '/api/quota', { cookie })), requestsPerMinute: null },
    rows: await shown(address, '/api/admin/usage/rows?limit=500', admin),
    cart: await shown(address, '/api/cart', { cookie }),
    inbox: await shown(address, '/api/admin/handovers', admin),
    turns: ((await shown(address, '/api/admin/models?hours=24', admin)) as { turns: number }).turns,
  }
}

test('a guest finds the conversation, the cart and the quota again on a node of the cluster, and continues', async () => {
  await using redis = await startRedis()
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const server = await startServer({ dataDir, env: ENV })
  const question = { message: '進撃の巨人はありますか', idempotencyKey: 'first' }
  const first = await postChat(server.address, question)
  const cookie = cookieOf(first)
  const { data } = (await first.json()) as { data: { sessionId: string; turnId: string } }
  const { sessionId } = data
  await postChat(server.address, { message: 'もっと短いのは？', sessionId }, { cookie })
  await sent(`${server.address}/api/cart/items`, cookie, { productId: 'berserk', volumes: [1, 2], idempotencyKey: 'a' })
  await sent(`${server.address}/api/sessions/${sessionId}/handover`, cookie, { orderNumber: '48213' })
  const before = await seen(server.address, cookie)
  assert.equal(before.turns, 2)

  const refused = await migrate({ dataDir, redis: redis.url }, '--apply')
  assert.deepEqual([refused.code, /is in use by process/.test(refused.stderr)], [1, true])
  server.child.kill('SIGTERM')
  await server.exited
  const moved = await migrate({ dataDir, redis: redis.url }, '--apply')
  assert.equal(moved.code, 0, `${moved.stdout}${moved.stderr}`)
  assert.match(moved.stdout, /conversations: 1 compared, all the same/)

  const nodeEnv = { ...ENV, MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' }
  await using node = await startServer({ dataDir: join(folder.path, 'node'), env: nodeEnv })
  assert.deepEqual(await seen(node.address, cookie), before)
  const repeated = await postChat(node.address, question, { cookie })
  const again = (await repeated.json()) as { data: { turnId: string } }
  assert.equal(again.data.turnId, data.turnId, 'the log of the turn was moved: it is not answered twice')
  const further = await postChat(node.address, { message: '続きは？', sessionId }, { cookie })
  assert.equal(further.status, 200)
  const { turns } = (await shown(node.address, `/api/sessions/${sessionId}`, { cookie })) as { turns: object[] }
  assert.equal(turns.length, 3)
  const { quota, rows } = await seen(node.address, cookie)
  const inputTokens = (rows as readonly { readonly inputTokens: number }[]).map((row) => row.inputTokens)
  const sum = inputTokens.reduce((one, other) => one + other)
  assert.equal(inputTokens.length, 3)
  assert.deepEqual((quota as { input?: object }).input, { used: sum, reserved: 0, limit: 100_000 }, 'charged once')
})

test('a move that is killed lets no node start, and the next run completes it', async () => {
  await using redis = await startRedis()
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  await fillFolder({ path: dataDir, conversations: CONVERSATIONS })
  const parts = { clock: systemClock(), random: systemRandom(), telemetry: memoryTelemetry() }
  await using client = await openRedis({ url: redis.url, ...parts, callMs: 30_000, connectMs: 30_000 })
  const env = commandEnv(dataDir, redis.url)
  const child = spawn(process.execPath, [BIN, 'migrate', '--apply'], { cwd: dataDir, env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  await waitUntil('half of it is moved', async () => Number(await client.command(undefined, 'DBSIZE')) > 300)
  child.kill('SIGKILL')
  await exited
  const node = launch({ dataDir: join(folder.path, 'node'), env: { ...ENV, MANGA_STATE__REDIS: redis.url } })
  assert.equal(await node.ready, undefined)
  assert.match(node.stderr(), /the move is not complete/)
  const again = await migrate({ dataDir, redis: redis.url }, '--apply')
  assert.equal(again.code, 0, `${again.stdout}${again.stderr}`)
  assert.match(again.stdout, /A run that was interrupted is continued/)
  assert.match(again.stdout, new RegExp(`conversations: ${CONVERSATIONS} compared, all the same`))
})
