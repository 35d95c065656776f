// Operators and the lanes of a cluster of two: an action at one node applies at the other, the audit has who and why,
// maintenance lets running turns continue, and what survives a restart. Waits are bounded; no assertion depends on their
// duration.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { secretHash } from '#lib/text/secret-hash.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

const TOKEN = 'maa_lanes'
/** Slow enough to act in mid-answer. */
const OWN = {
  MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
  MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
  MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '80',
}

async function startNode(env: Readonly<Record<string, string>>) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const start = () => startServer({ dataDir: folder.path, env: { ...OWN, ...env } })
  let server = opened.use(await start())
  const keep = opened.move()
  return {
    get address() {
      return server.address
    },
    connect: () => server.connect(),
    /** Kills it and starts it again over the same folder. */
    async restart() {
      await server.kill()
      server = keep.use(await start())
    },
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}
type Node = Awaited<ReturnType<typeof startNode>>

const redis = await startRedis()
const fleet = { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' }
const [tokyo, osaka, alone] = await Promise.all([startNode(fleet), startNode(fleet), startNode({})])
after(async () => {
  await Promise.all([tokyo, osaka, alone].map((node) => node[Symbol.asyncDispose]()))
  await redis[Symbol.asyncDispose]()
})

interface Lane {
  readonly lane: string
  readonly level: string
  readonly operator: { readonly action: string; readonly by: string } | null
}

async function admin<Data>({ address }: Pick<Node, 'address'>, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${address}/api/admin${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200, path)
  return ((await response.json()) as { data: Data }).data
}

/** Each question once: a cached answer would need no model. */
const tierOf = async ({ address }: Node, message: string) => {
  const response = await postChat(address, { message })
  return ((await response.json()) as { metadata: { tier: string } }).metadata.tier
}
const metricOf = async ({ address }: Node, series: RegExp) =>
  series.test(await (await fetch(`${address}/metrics`)).text())

test('a lane forced open at one node is open at the other until it is reset there, and the audit says by whom', async () => {
  const [{ lane } = { lane: '' }] = await admin<readonly Lane[]>(tokyo, '/lanes')
  const path = `/lanes/${encodeURIComponent(lane)}`
  assert.equal(await tierOf(osaka, '送料はいくらですか'), 'embedded')
  await admin(tokyo, path, { action: 'force-open', reason: 'it lies' })
  const seen = await admin<readonly Lane[]>(osaka, '/lanes')
  assert.deepEqual([seen[0]?.operator?.action, seen[0]?.operator?.by], ['force-open', 'aki'])
  // No tick is needed: permits are requested from the shared lane.
  assert.equal(await tierOf(osaka, '返品できますか'), 'faq')
  await waitUntil('the other node shows it', () =>
    metricOf(osaka, /^mangaassist_lane_operator_action\{.*action="force-open"\} 1$/m),
  )
  const ready = await fetch(`${osaka.address}/readyz`)
  const { dependencies } = (await ready.json()) as { dependencies: Record<string, { status: string }> }
  assert.deepEqual([ready.status, dependencies['lane:embedded']?.status], [200, 'error'])
  await admin(osaka, '/lanes/embedded', { action: 'reset', reason: 'it is honest again' })
  // A question is no probe of a lane that its node still sees open, for half a second.
  const isForced = () => metricOf(tokyo, /^mangaassist_lane_operator_action\{.*action="force-open"\} 1$/m)
  await waitUntil('the first node sees the reset', async () => !(await isForced()))
  assert.equal(await tierOf(tokyo, '支払い方法を教えてください'), 'embedded')
  const audit = await admin<readonly Record<string, unknown>[]>(osaka, `/audit?subject=${encodeURIComponent(lane)}`)
  assert.deepEqual(
    audit.map(({ action, by, reason }) => [action, by, reason]),
    [
      ['lane-reset', 'aki', 'it is honest again'],
      ['lane-forced-open', 'aki', 'it lies'],
    ],
  )
})

interface Ready {
  readonly status: string
  readonly dependencies: Record<string, { readonly status: string }>
}
const readyOf = async ({ address }: Node) => (await (await fetch(`${address}/readyz`)).json()) as Ready

test('Redis forced open at one node is down for that node alone, and can be reset although the audit is in Redis', async () => {
  const lanesAt = async (node: Node) =>
    (await admin<readonly (Lane & { scope: string; phase: string })[]>(node, '/lanes')).find(
      ({ lane }) => lane === 'redis',
    )
  assert.deepEqual([(await lanesAt(tokyo))?.scope, (await lanesAt(tokyo))?.phase], ['node', 'closed'])
  await admin(tokyo, '/lanes/redis', { action: 'force-open', reason: 'it is being moved' })
  assert.deepEqual([(await lanesAt(tokyo))?.phase, (await lanesAt(osaka))?.phase], ['open', 'closed'])
  const { dependencies, status } = await readyOf(tokyo)
  assert.deepEqual(
    [status, dependencies['redis']?.status, dependencies['lane:redis']?.status],
    ['degraded', 'down', 'error'],
  )
  assert.equal((await readyOf(osaka)).status, 'ready')
  // As in an outage: answered from the node's own allowance.
  assert.equal((await postChat(tokyo.address, { message: '営業時間を教えてください' })).status, 200)
  await waitUntil('the opening is counted', () => metricOf(tokyo, /^mangaassist_lane_opened_total\{lane="redis"\} 1$/m))
  await admin(tokyo, '/lanes/redis', { action: 'reset', reason: 'moved' })
  await waitUntil('the node is whole again', async () => (await readyOf(tokyo)).status === 'ready')
  const audit = await admin<readonly Record<string, unknown>[]>(osaka, '/audit?subject=redis')
  assert.deepEqual(
    audit.map(({ action, reason }) => [action, reason]),
    [
      ['lane-reset', 'moved'],
      ['lane-forced-open', 'it is being moved'],
    ],
  )
})

test('with search forced open answers have no retrieval and say so; Redis is refused where there is none', async () => {
  const ask = async () => {
    const response = await postChat(alone.address, { message: '泣ける完結作品のおすすめを教えて' })
    return (await response.json()) as { metadata: { degraded: boolean; tier: string } }
  }
  await admin(alone, '/lanes/search', { action: 'force-open', reason: 'it finds nothing' })
  assert.equal((await ask()).metadata.degraded, true)
  const found = await fetch(`${alone.address}/api/products?q=${encodeURIComponent('泣ける')}`)
  assert.equal(found.status, 503)
  assert.equal((await fetch(`${alone.address}/api/products/one-piece`)).status, 200)
  await admin(alone, '/lanes/search', { action: 'reset', reason: 'repaired' })
  assert.equal((await fetch(`${alone.address}/api/products?q=${encodeURIComponent('泣ける')}`)).status, 200)
  const refused = await fetch(`${alone.address}/api/admin/lanes/redis`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'force-open', reason: 'a test' }),
  })
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /does not use Redis/)
})

test('maintenance refuses new questions on every node, lets the running one end, and survives a node’s restart', async () => {
  const client = await osaka.connect()
  client.send({ type: 'chat', requestId: 'r1', message: '泣ける完結作品のおすすめを教えて' })
  await client.until('chunk')
  await admin(tokyo, '/maintenance', { on: true, reason: 'a new catalogue' })
  const refused = await postChat(tokyo.address, { message: '返品できますか' })
  const { error } = (await refused.json()) as { error: { code: string } }
  assert.deepEqual([refused.status, error.code], [503, 'MAINTENANCE'])
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  await waitUntil(
    'the other node refuses',
    async () => (await postChat(osaka.address, { message: '返品は？' })).status === 503,
  )
  const { retryAfterMs = 0 } = await client.refused({ type: 'chat', requestId: 'r2', message: '送料は？' })
  assert.ok(retryAfterMs > 0)
  const completion = await fetch(`${osaka.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] }),
  })
  assert.equal(completion.status, 503)
  assert.equal((await client.until('done')).finishReason, 'stop')
  const ready = await fetch(`${osaka.address}/readyz`)
  assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, 'maintenance'])
  await osaka.restart()
  assert.equal((await postChat(osaka.address, { message: 'もう一つ' })).status, 503)
  assert.equal((await admin<{ by: string }>(osaka, '/maintenance')).by, 'aki')
  await admin(osaka, '/maintenance', { on: false, reason: 'done' })
  assert.equal((await postChat(osaka.address, { message: '二つ目' })).status, 200)
  await waitUntil(
    'the first node is open',
    async () => (await postChat(tokyo.address, { message: '三つ目' })).status === 200,
  )
})

test('on one machine maintenance and a forced lane survive a kill, and the audit has every action', async () => {
  await admin(alone, '/maintenance', { on: true, reason: 'a test' })
  await admin(alone, '/lanes/embedded', { action: 'force-open', reason: 'a test' })
  assert.equal((await postChat(alone.address, { message: '送料は？' })).status, 503)
  await alone.restart()
  assert.equal((await postChat(alone.address, { message: '送料はいくらですか' })).status, 503)
  await admin(alone, '/maintenance', { on: false, reason: 'over' })
  assert.equal(await tierOf(alone, '返品できますか'), 'faq')
  const [lane] = await admin<readonly Lane[]>(alone, '/lanes')
  assert.deepEqual([lane?.operator?.action, lane?.operator?.by], ['force-open', 'aki'])
  await admin(alone, '/lanes/embedded', { action: 'reset', reason: 'over' })
  await alone.restart()
  assert.equal(await tierOf(alone, '支払い方法を教えてください'), 'embedded')
  const audit = await admin<readonly { action: string }[]>(alone, '/audit')
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['lane-reset', 'setting-cleared', 'lane-forced-open', 'setting-set', 'lane-reset', 'lane-forced-open'],
  )
})

test('the CLI does the same against a running server', async () => {
  await using folder = await temporaryFolder()
  const bin = join(import.meta.dirname, '../../bin/mangaassist.js')
  const env = { ...inherited(), MANGAASSIST_ADMIN_TOKEN: TOKEN, DATA_DIR: '/nowhere' }
  const options = { cwd: folder.path, env }
  const run = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [bin, 'lanes', ...args, '--url', alone.address], options)).stdout
  assert.match(await run('force-open', 'embedded', '--reason', 'by hand'), /^lane-forced-open: /)
  const [lane] = await admin<readonly Lane[]>(alone, '/lanes')
  assert.equal(lane?.operator?.action, 'force-open')
  await assert.rejects(run('reset', 'nobody', '--reason', 'over'), /NOT_FOUND/)
})
