// A node that leaves a cluster of real processes on a real Redis: it answers while a balancer notices, says then that another node
// answers, and what it does not finish is continued there at once. Leases and scans take far longer than these tests may: a turn is
// taken over because it was released.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { applyChunks } from '#fixtures/edge/socket-client.ts'
import type { SocketClient } from '#fixtures/edge/socket-client.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { postChat, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'
const HOUR_MS = '3600000'

const redis = await startRedis()
const staying = await startNode()
after(async () => {
  await staying[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

async function startNode(more: Readonly<Record<string, string>> = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const env = {
    MANGA_SERVER__LOGLEVEL: 'info',
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '30',
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_STATE__REDIS: redis.url,
    MANGA_STATE__CALLMS: '10000',
    MANGA_TURNS__HOLDMS: '7200000',
    MANGA_TURNS__LEASEMS: HOUR_MS,
    MANGA_TURNS__ORPHANSCANMS: HOUR_MS,
    ...more,
  }
  const server = opened.use(await startServer({ dataDir: folder.path, env }))
  const keep = opened.move()
  const events = () =>
    server
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const logged = (event: string) => events().find((line) => line['event'] === event)
  return { ...server, logged, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

/** Its answers take minutes. */
const SLOW = { MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '1' }

async function asking(client: SocketClient) {
  client.send({ type: 'chat', requestId: 'r1', message: QUESTION })
  const { turnId } = await client.until('accepted')
  await client.until('chunk')
  return { client, turnId }
}

async function readyz(address: string): Promise<readonly [number, string]> {
  const response = await fetch(`${address}/readyz`)
  return [response.status, ((await response.json()) as { status: string }).status]
}

suite('a node that leaves', { concurrency: true }, () => {
  test('it answers as a lame duck, refuses new questions then and says why, and closes the connections that read nothing', async () => {
    await using leaving = await startNode({ ...SLOW, MANGA_SERVER__LAMEDUCKMS: '8000', MANGA_SERVER__DRAINMS: '16000' })
    const { client: reader } = await asking(await leaving.connect())
    const idle = await leaving.connect()
    leaving.child.kill('SIGTERM')
    await waitUntil('it is a lame duck', async () => (await readyz(leaving.address))[0] === 503)
    assert.deepEqual(await readyz(leaving.address), [503, 'lame-duck'])
    assert.equal((await fetch(`${leaving.address}/healthz`)).status, 200)
    const newcomer = await leaving.connect()
    newcomer.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
    await newcomer.until('accepted')
    assert.equal(await idle.closed, 1001)
    assert.deepEqual(await readyz(leaving.address), [503, 'draining'])
    const response = await postChat(leaving.address, { message: 'まだ間に合いますか' })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    assert.deepEqual(
      { ...error, status: response.status },
      {
        code: 'MAINTENANCE',
        message: '別のサーバーに切り替わりました。もう一度お送りいただければ、すぐにお答えします。',
        retryAfterMs: 0,
        details: { reason: 'draining' },
        status: 503,
      },
    )
    assert.equal(reader.of('done').length, 0, 'it is read to the end of the drain')
    assert.equal(await reader.closed, 1001)
    assert.deepEqual(await leaving.exited, { code: 0, signal: null })
    assert.equal(leaving.logged('server.draining')?.['lameDuckMs'], 8000)
  })

  test('by default it is a lame duck for 5 s, because the registry has another node', async () => {
    await using leaving = await startNode()
    await waitUntil('it has read the registry', () => leaving.logged('node.registered') !== undefined)
    leaving.child.kill('SIGTERM')
    assert.deepEqual(await leaving.exited, { code: 0, signal: null })
    assert.equal(leaving.logged('server.draining')?.['lameDuckMs'], 5000)
  })

  test('the turns that it leaves are continued by another node at once, and its log tells them from those that ended', async () => {
    await using leaving = await startNode({ ...SLOW, MANGA_SERVER__LAMEDUCKMS: '0', MANGA_SERVER__DRAINMS: '500' })
    const asked = await Promise.all(Array.from({ length: 6 }, async () => asking(await leaving.connect())))
    leaving.child.kill('SIGTERM')
    assert.deepEqual(await leaving.exited, { code: 0, signal: null })
    const { drainedTurns, leftTurns } = leaving.logged('server.stopped') ?? {}
    // More where it had itself continued a turn of a node that left beside it.
    assert.deepEqual({ drainedTurns, hasLeft: Number(leftTurns) >= 6 }, { drainedTurns: 0, hasLeft: true })
    for (const { client, turnId } of asked) {
      const half = applyChunks(client.of('chunk'))
      const moved = await staying.connect(client.cookie)
      moved.send({ type: 'resume', turnId, offset: half.length })
      assert.equal((await moved.until('done')).finishReason, 'stop')
      assert.ok(moved.answer(turnId, half).length > half.length)
    }
  })

  test('a second signal ends the lame duck and the wait for answers, which another node continues', async () => {
    await using leaving = await startNode({
      ...SLOW,
      MANGA_SERVER__LAMEDUCKMS: '600000',
      MANGA_SERVER__DRAINMS: '900000',
    })
    const { client, turnId } = await asking(await leaving.connect())
    leaving.child.kill('SIGINT')
    await waitUntil('a later signal counts', () => {
      leaving.child.kill('SIGTERM')
      return leaving.logged('server.hurried') !== undefined
    })
    assert.deepEqual(await leaving.exited, { code: 0, signal: null })
    assert.ok(Number(leaving.logged('server.stopped')?.['leftTurns']) >= 1)
    const half = applyChunks(client.of('chunk'))
    const moved = await staying.connect(client.cookie)
    moved.send({ type: 'resume', turnId, offset: half.length })
    assert.equal((await moved.until('done')).finishReason, 'stop')
  })
})
