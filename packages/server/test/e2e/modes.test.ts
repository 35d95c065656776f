// The modes of a service and the sessions of operators in real processes: on one machine over `kill -9`, on two nodes over a real Redis,
// and a vendor's own record of what it was asked. Waits are bounded; no assertion depends on their duration.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

const TOKEN = 'maa_modes'
const vendor = await startSimulator({ clock: systemClock(), identicalText: '重厚な物語と緻密な絵が魅力です。' })
const redis = await startRedis()
const opened = new AsyncDisposableStack()
after(async () => {
  await opened.disposeAsync()
  await redis[Symbol.asyncDispose]()
  await vendor.close()
})

const OWN = {
  MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
  MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
  MANGA_MODELS__PRIMARY__ID: 'primary-1',
  MANGA_MODELS__PRIMARY__BASEURL: `${vendor.url}/v1`,
  MANGA_MODELS__PRIMARY__PRICE: '1,2',
  MANGA_LADDER: 'primary',
  MANGA_PROBE__EVERYMS: '0',
}

async function startNode(env: Readonly<Record<string, string>> = {}) {
  const folder = opened.use(await temporaryFolder())
  const start = () => startServer({ dataDir: folder.path, env: { ...OWN, ...env } })
  const state = { server: opened.use(await start()) }
  return {
    get address() {
      return state.server.address
    },
    async restart() {
      await state.server.kill()
      state.server = opened.use(await start())
    },
  }
}
type Node = Awaited<ReturnType<typeof startNode>>

async function setMode({ address }: Node, value: string) {
  const response = await fetch(`${address}/api/admin/settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'mode', value, reason: 'a test' }),
  })
  assert.equal(response.status, 200)
}

const modeOf = async ({ address }: Node) => {
  const { mode, status } = (await (await fetch(`${address}/readyz`)).json()) as { mode: string; status: string }
  return [mode, status]
}

interface Said {
  readonly metadata: { readonly tier: string; readonly degraded: boolean; readonly reason?: string }
}
const ask = async ({ address }: Node, message: string) =>
  ((await (await postChat(address, { message })).json()) as Said).metadata

/** On a busy machine the vendor may be too late to answer; that it was asked is what counts. */
async function vendorAsked(node: Node) {
  const before = vendor.attempts().length
  await waitUntil('the vendor is asked', async () => {
    await ask(node, `進撃の巨人はどんな話ですか ${vendor.attempts().length}`)
    return vendor.attempts().length > before
  })
}

test('in the reduced mode no vendor is asked, over kill -9 and a restart, and answers say why', async () => {
  const node = await startNode()
  await vendorAsked(node)
  const before = vendor.attempts().length
  await setMode(node, 'reduced')
  assert.deepEqual(await modeOf(node), ['reduced', 'reduced'])
  const said = await ask(node, '泣ける完結作品のおすすめを教えて')
  assert.deepEqual([said.tier, said.degraded, said.reason], ['embedded', true, 'reduced'])
  await node.restart()
  assert.deepEqual(await modeOf(node), ['reduced', 'reduced'])
  const again = await ask(node, '送料はいくらですか')
  assert.deepEqual([again.degraded, again.reason], [true, 'reduced'])
  const message = await ask(node, 'カレーの作り方を教えて')
  assert.deepEqual([message.degraded, message.reason], [true, 'reduced'])
  const completion = await fetch(`${node.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] }),
  })
  assert.ok(completion.status >= 400)
  assert.equal(vendor.attempts().length, before)
  await setMode(node, 'normal')
  await vendorAsked(node)
})

test('in the read-only mode questions are refused with a message of their own, and everything else can be read', async () => {
  const node = await startNode()
  const first = await postChat(node.address, { message: '進撃の巨人はどんな話ですか' })
  const cookie = cookieOf(first)
  const { data } = (await first.json()) as { data: { sessionId: string } }
  await setMode(node, 'read-only')
  const refused = await fetch(`${node.address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en', cookie },
    body: JSON.stringify({ message: 'and another' }),
  })
  const { error } = (await refused.json()) as { error: { code: string; message: string; details: object } }
  assert.deepEqual([refused.status, error.code, error.details], [503, 'MAINTENANCE', { reason: 'read-only' }])
  assert.match(error.message, /not taking new questions/)
  for (const path of [`/api/sessions/${data.sessionId}`, '/api/sessions', '/api/products', '/api/quota'])
    assert.equal((await fetch(`${node.address}${path}`, { headers: { cookie } })).status, 200, path)
  assert.deepEqual(await modeOf(node), ['read-only', 'read-only'])
})

test('a mode, and the end of a session, reach the other node of a cluster', async () => {
  const fleet = { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' }
  const [tokyo, osaka] = await Promise.all([startNode(fleet), startNode(fleet)])
  for (const mode of ['maintenance', 'reduced', 'normal']) {
    await setMode(tokyo, mode)
    await waitUntil(`the other node is in mode ${mode}`, async () => (await modeOf(osaka))[0] === mode)
  }
  const signIn = await fetch(`${tokyo.address}/api/admin/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: tokyo.address },
    body: JSON.stringify({ token: TOKEN }),
  })
  const cookie = cookieOf(signIn)
  const { data } = (await signIn.json()) as { data: { csrfToken: string } }
  const seenAt = async ({ address }: Node) =>
    (await fetch(`${address}/api/admin/session`, { headers: { cookie } })).status
  assert.deepEqual([await seenAt(tokyo), await seenAt(osaka)], [200, 200])
  const out = await fetch(`${osaka.address}/api/admin/session`, {
    method: 'DELETE',
    headers: { cookie, origin: osaka.address, 'x-csrf-token': data.csrfToken },
  })
  assert.equal(out.status, 200)
  await waitUntil('the session has ended at the other node', async () => (await seenAt(tokyo)) === 401)
  await tokyo.restart()
  assert.equal(await seenAt(tokyo), 401)
})
