// Several real server processes, each with its own data folder, as one cluster on one real Redis: an answer is read,
// stopped, resumed and finished on any node, without a missing or repeated character.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { applyChunks } from '#fixtures/edge/socket-client.ts'
import type { SocketClient } from '#fixtures/edge/socket-client.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { launch, postChat, SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'

/** Short leases, so that a takeover comes soon; long call deadlines, because the machine is busy. */
const settings = (redisUrl: string) => ({
  ...SLOWLY,
  MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '30',
  // No cache: every guest asks the same, and a cached answer would come at once and leave no time to act.
  MANGA_ANSWERS__FRESHMS: '1',
  MANGA_ANSWERS__FOLLOWMS: '1',
  MANGA_STATE__REDIS: redisUrl,
  MANGA_STATE__CALLMS: '10000',
  MANGA_TURNS__LEASEMS: '2000',
  MANGA_TURNS__RENEWMS: '500',
  MANGA_TURNS__ORPHANSCANMS: '300',
})

async function startNode(redisUrl: string, more: Readonly<Record<string, string>> = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const server = opened.use(await startServer({ dataDir: folder.path, env: { ...settings(redisUrl), ...more } }))
  const keep = opened.move()
  return { ...server, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

const redis = await startRedis()
const [tokyo, osaka] = await Promise.all([startNode(redis.url), startNode(redis.url)])
after(async () => {
  await Promise.all([tokyo, osaka].map((node) => node[Symbol.asyncDispose]()))
  await redis[Symbol.asyncDispose]()
})

const chat = (requestId: string, more: object = {}) => ({ type: 'chat', requestId, message: QUESTION, ...more })

/** Asks, and returns when the first text has arrived. */
async function ask(client: SocketClient, more: object = {}) {
  client.send(chat('r1', more))
  const accepted = await client.until('accepted')
  await client.until('chunk', 2)
  return accepted
}

async function get<Data>(address: string, path: string, cookie: string): Promise<Data> {
  const response = await fetch(`${address}${path}`, { headers: { cookie } })
  assert.equal(response.status, 200, path)
  return ((await response.json()) as { data: Data }).data
}

interface Readyz {
  readonly status: string
  readonly dependencies: { readonly redis: { readonly status: string; readonly roundTripMs?: number } }
}

async function readyz(address: string): Promise<{ readonly code: number; readonly body: Readyz }> {
  const response = await fetch(`${address}/readyz`)
  return { code: response.status, body: (await response.json()) as Readyz }
}

// In parallel: every test is a guest of its own, and a slow answer leaves time for others.
suite('a cluster', { concurrency: true }, () => {
  test('an answer begun on one node is resumed in mid-answer on another, complete to the last character', async () => {
    const phone = await tokyo.connect()
    const { turnId } = await ask(phone)
    phone.socket.terminate()
    const half = applyChunks(phone.of('chunk'))
    const awake = await osaka.connect(phone.cookie)
    awake.send({ type: 'resume', turnId, offset: half.length })
    const done = await awake.until('done')
    assert.equal(done.finishReason, 'stop')
    assert.ok(awake.of('chunk').length > 2, 'it came live, not at once')
    assert.ok(awake.answer(turnId, half).length > half.length)
  })

  test('a second device on another node reads the running turn, and finds the conversation there', async () => {
    const phone = await tokyo.connect()
    phone.send({ type: 'chat', requestId: 'r0', message: 'こんにちは' })
    const { sessionId } = await phone.until('accepted')
    await phone.until('done')
    const desktop = await osaka.connect(phone.cookie)
    assert.equal(desktop.setCookie, undefined, 'the guest is known')
    desktop.send({ type: 'watch', sessionId })
    desktop.send({ type: 'ping' })
    await desktop.until('heartbeat')
    phone.send(chat('r1', { sessionId }))
    const accepted = await desktop.until('accepted')
    assert.equal(accepted.requestId, 'r1')
    await desktop.until('chunk')
    assert.equal(phone.of('done').length, 1, 'it is announced while it is streamed')
    await Promise.all([desktop.until('done'), phone.until('done', 2)])
    assert.equal(desktop.answer(accepted.turnId), phone.answer(accepted.turnId))
    const lists = await Promise.all(
      [tokyo, osaka].map((node) => get<{ version: number }[]>(node.address, '/api/sessions', phone.cookie)),
    )
    assert.deepEqual(lists[0], lists[1])
    assert.deepEqual(
      lists[0]?.map(({ version }) => version),
      [2],
    )
  })

  test('a stop sent to another node reaches the owner, and the text stays', async () => {
    const phone = await tokyo.connect()
    const { sessionId, turnId } = await ask(phone)
    const desktop = await osaka.connect(phone.cookie)
    desktop.send({ type: 'resume', turnId, offset: 0 })
    desktop.send({ type: 'stop', turnId })
    for (const client of [phone, desktop]) assert.equal((await client.until('done')).finishReason, 'stopped')
    const text = phone.answer(turnId)
    assert.equal(desktop.answer(turnId), text)
    const { turns } = await get<{ turns: { answer: string; finishReason: string }[] }>(
      osaka.address,
      `/api/sessions/${sessionId}`,
      phone.cookie,
    )
    assert.deepEqual(
      turns.map(({ answer, finishReason }) => [answer, finishReason]),
      [[text, 'stopped']],
    )
  })

  test('a conversation has one running turn at a time over all nodes', async () => {
    const phone = await tokyo.connect()
    const { sessionId } = await ask(phone, { idempotencyKey: 'key-1' })
    const desktop = await osaka.connect(phone.cookie)
    const busy = await desktop.refused({ type: 'chat', requestId: 'r2', sessionId, message: '在庫はありますか？' })
    assert.equal(busy.code, 'SESSION_BUSY')
    desktop.send(chat('r3', { idempotencyKey: 'key-1' }))
    assert.equal((await desktop.until('accepted')).duplicate, true)
    await desktop.until('done')
    desktop.send({ type: 'chat', requestId: 'r4', sessionId, message: '送料はいくらですか' })
    assert.equal((await desktop.until('done', 2)).sessionVersion, 2)
  })

  test('another node takes over from a node killed in mid-answer, and completes the answer exactly', async () => {
    await using doomed = await startNode(redis.url)
    const phone = await doomed.connect()
    const { sessionId, turnId } = await ask(phone)
    // One has been reading on another node all along, the other arrives after the kill.
    const desktop = await osaka.connect(phone.cookie)
    desktop.send({ type: 'resume', turnId, offset: 0 })
    await desktop.until('chunk')
    await doomed.kill()
    const half = applyChunks(phone.of('chunk'))
    const awake = await tokyo.connect(phone.cookie)
    awake.send({ type: 'resume', turnId, offset: half.length })
    for (const client of [desktop, awake]) assert.equal((await client.until('done')).finishReason, 'stop')
    const text = desktop.answer(turnId)
    assert.equal(awake.answer(turnId, half), text)
    assert.ok(text.length > half.length)
    const unbroken = await postChat(osaka.address, { message: QUESTION })
    assert.equal(((await unbroken.json()) as { data: { text: string } }).data.text, text)
    const { turns } = await get<{ turns: { answer: string }[] }>(
      osaka.address,
      `/api/sessions/${sessionId}`,
      phone.cookie,
    )
    assert.deepEqual(
      turns.map(({ answer }) => answer),
      [text],
    )
  })

  test('the readers on a drained node are asked to reconnect, and continue at another', async () => {
    await using leaving = await startNode(redis.url)
    const asked = await tokyo.connect()
    const { turnId } = await ask(asked)
    const phone = await leaving.connect(asked.cookie)
    phone.send({ type: 'resume', turnId, offset: 0 })
    await phone.until('chunk')
    leaving.child.kill('SIGTERM')
    assert.equal(await phone.closed, 1001)
    const half = applyChunks(phone.of('chunk'))
    const moved = await osaka.connect(asked.cookie)
    moved.send({ type: 'resume', turnId, offset: half.length })
    assert.equal((await moved.until('done')).finishReason, 'stop')
    await asked.until('done')
    assert.equal(moved.answer(turnId, half), asked.answer(turnId))
    assert.deepEqual(await leaving.exited, { code: 0, signal: null })
  })

  test('without Redis a node is degraded, not unready, and recovers when Redis is back', async () => {
    await using first = await startRedis()
    await using node = await startNode(first.url)
    const whole = await readyz(node.address)
    assert.deepEqual([whole.code, whole.body.status, whole.body.dependencies.redis.status], [200, 'ready', 'ok'])
    assert.equal(typeof whole.body.dependencies.redis.roundTripMs, 'number')
    await first[Symbol.asyncDispose]()
    await waitUntil('it has noticed', async () => (await readyz(node.address)).body.status !== 'ready')
    const lost = await readyz(node.address)
    assert.deepEqual([lost.code, lost.body.status, lost.body.dependencies.redis], [200, 'degraded', { status: 'down' }])
    assert.equal((await fetch(`${node.address}/api/products`)).status, 200)
    await using _second = await startRedis({ port: first.port })
    await waitUntil('it is ready again', async () => (await readyz(node.address)).body.status === 'ready')
  })

  test('an unreachable Redis stops the start, named by its host and without its password', async () => {
    await using folder = await temporaryFolder()
    const env = { ...settings('redis://:hunter2@127.0.0.1:1'), MANGA_STATE__CONNECTMS: '300' }
    const attempt = launch({ dataDir: folder.path, env: { ...env, MANGA_SERVER__LOGLEVEL: 'silent' } })
    assert.equal((await attempt.exited).code, 1)
    assert.match(attempt.stderr(), /^\W*Redis at 127\.0\.0\.1:1 cannot be reached .*MANGA_STATE__REDIS/)
    assert.doesNotMatch(attempt.stderr(), /hunter2|^\s+at /m)
  })
})
