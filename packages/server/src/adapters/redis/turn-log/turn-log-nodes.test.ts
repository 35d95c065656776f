// Turns across nodes: a turn that one node writes is read, stopped, attended, taken over and watched on another, and a
// missed message is found in the log.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clusterNode, startNow } from '#fixtures/turns/cluster-nodes.ts'
import type { ClusterNode } from '#fixtures/turns/cluster-nodes.ts'
import { oldChat, oldCompletion } from '#fixtures/turns/old-starts.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import type { RedisServer } from '#fixtures/stores/redis-server.ts'
import { turnLogReader } from '#fixtures/turns/turn-log-reader.ts'
import { collectLog, LEASE_MS, text, turnEnd } from '#fixtures/turns/turn-logs.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { stopChannel } from './turn-store.ts'

let server: RedisServer
before(async () => {
  server = await startRedis()
})
after(() => server[Symbol.asyncDispose]())

let turns = 0
const nextTurnId = () => `turn_${(turns += 1)}`
const fromStart = (turnId: string) => ({ turnId, afterSeq: -1, known: '', isEager: true })

async function listeners({ redis }: ClusterNode, channel: string): Promise<number> {
  const [, count] = (await redis.command(channel, 'PUBSUB', 'SHARDNUMSUB', channel)) as readonly unknown[]
  return Number(count)
}

test('turn log: readers on another node get records as they are written, to the end', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  const readers = await Promise.all([1, 2].map(() => turnLogReader(other.log, fromStart(turnId))))
  // Also beyond the bounds: both sides trim.
  for (let index = 0; index < 200; index += 1) await owner.log.append(turnId, 1, [text(index, 'あ')])
  await owner.log.append(turnId, 1, [turnEnd])
  for (const reader of readers) {
    await reader.ended()
    assert.equal(reader.text, 'あ'.repeat(200))
  }
  assert.equal(other.counted('turn_log_gap_total'), 0)
  assert.equal((await collectLog(other.log, { turnId })).at(-1)?.kind, 'turn-end')
})

test('turn log: readers on another node continue after their subscription’s connection was cut', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  const reader = await turnLogReader(other.log, fromStart(turnId))
  await owner.redis.command(undefined, 'CLIENT', 'KILL', 'TYPE', 'pubsub')
  for (let index = 0; index < 20; index += 1) await owner.log.append(turnId, 1, [text(index, 'x')])
  await reader.reached(20)
  await owner.log.append(turnId, 1, [turnEnd])
  await reader.ended()
  assert.equal(reader.text, 'x'.repeat(20))
})

test('turn log: a lost message is found in the log, and counted', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  const reader = await turnLogReader(other.log, fromStart(turnId))
  const turn = `ma:{turn:${turnId}}`
  const record = JSON.stringify({ seq: 1, epoch: 1, ...text(0, 'unheard') })
  await owner.redis.command(turn, 'RPUSH', `${turn}:log`, record)
  await owner.redis.command(turn, 'HSET', turn, 'count', '2')
  await reader.reached(1)
  assert.equal(reader.text, 'unheard')
  // A check between the two commands finds a gap too.
  assert.ok(other.counted('turn_log_gap_total') >= 1)
  await reader.leave('abort')
})

test('turn log: turns of a node that knows no kinds are read and announced, and its readers read ours', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  for (const { written, read } of [oldChat(nextTurnId()), oldCompletion(nextTurnId())]) {
    const { turnId, sessionId } = read
    const turn = `ma:{turn:${turnId}}`
    await owner.log.open(read, LEASE_MS)
    const ours = JSON.parse(String(await owner.redis.command(turn, 'LINDEX', `${turn}:log`, '0')))
    assert.deepEqual(ours, { seq: 0, epoch: 1, kind: 'start', start: { ...written, kind: read.kind } })
    const record = JSON.stringify({ seq: 0, epoch: 1, kind: 'start', start: written })
    await owner.redis.command(turn, 'LSET', `${turn}:log`, '0', record)
    assert.deepEqual(await other.log.start(turnId), read)
    assert.deepEqual((await other.log.read(turnId, -1))?.[0], { seq: 0, epoch: 1, kind: 'start', start: read })
    const leaving = new AbortController()
    const starts = other.log.followSession(sessionId, leaving.signal)[Symbol.asyncIterator]()
    const channel = `ma:{sess:${sessionId}}:opened`
    await waitUntil('the subscription', async () => (await listeners(other, channel)) > 0)
    const announced = { ...written, turnId: `${turnId}_announced` }
    await owner.redis.command(channel, 'SPUBLISH', channel, JSON.stringify(announced))
    assert.deepEqual((await starts.next()).value, { ...read, turnId: `${turnId}_announced` })
    leaving.abort()
    await owner.log.append(turnId, 1, [turnEnd])
  }
})

test('turn log: a stop requested on one node reaches another, and a later listener', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  const stopped = Promise.withResolvers<void>()
  using _ = owner.log.onStop(turnId, stopped.resolve)
  await other.log.requestStop(turnId)
  await stopped.promise
  const late = Promise.withResolvers<void>()
  using _late = other.log.onStop(turnId, late.resolve)
  await late.promise
})

test('turn log: a stop whose message was lost arrives with the next renewal', async (context) => {
  const owner = await clusterNode(context, server.url)
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  let wasStopped = false
  using _ = owner.log.onStop(turnId, () => (wasStopped = true))
  const turn = `ma:{turn:${turnId}}`
  // The request is read once the subscription exists: after one more reply the read was sent, after two it was done.
  await waitUntil('the subscription', async () => (await listeners(owner, stopChannel(turnId))) === 1)
  for (let round = 0; round < 2; round += 1) await owner.redis.command(turn, 'EXISTS', turn)
  await owner.redis.command(turn, 'HSET', turn, 'stop', '1')
  assert.equal(wasStopped, false)
  await owner.log.renew(turnId, 1, LEASE_MS)
  assert.equal(wasStopped, true)
})

test('turn log: a reader on another node attends the turn, until it leaves', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await owner.log.open(startNow({ turnId }), LEASE_MS)
  const unattendedMs = async () => (await owner.log.renew(turnId, 1, LEASE_MS))?.unattendedMs ?? -1
  await waitUntil('nobody reads', async () => (await unattendedMs()) > 0)
  const reader = await turnLogReader(other.log, fromStart(turnId))
  await waitUntil('the reader is seen', async () => (await unattendedMs()) === 0)
  await reader.leave('abort')
  await waitUntil('nobody reads', async () => (await unattendedMs()) > 0)
})

test('turn log: sessions are watched across nodes, and turns opened during a disconnection are delivered once', async (context) => {
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const sessionId = 'sess_watched'
  await owner.log.open(startNow({ turnId: nextTurnId(), sessionId }), LEASE_MS)
  const controller = new AbortController()
  const seen: string[] = []
  const watching = (async () => {
    for await (const { turnId } of other.log.followSession(sessionId, controller.signal)) seen.push(turnId)
  })()
  // Existing turns were read on the same connection before this.
  await other.redis.command(undefined, 'PING')
  const expected = [nextTurnId(), nextTurnId()]
  await owner.log.open(startNow({ turnId: expected[0] ?? '', sessionId }), LEASE_MS)
  await waitUntil('the first opening', () => seen.length === 1)
  await owner.redis.command(undefined, 'CLIENT', 'KILL', 'TYPE', 'pubsub')
  await owner.log.open(startNow({ turnId: expected[1] ?? '', sessionId }), LEASE_MS)
  await waitUntil('the second opening', () => seen.length === 2)
  controller.abort()
  await watching
  assert.deepEqual(seen, expected)
})

test('turn log: a paused owner is fenced, and its readers continue with the new owner', async (context) => {
  const [paused, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  await paused.log.open(startNow({ turnId }), 100)
  await paused.log.append(turnId, 1, [text(0, 'a')])
  const reader = await turnLogReader(paused.log, fromStart(turnId))
  await waitUntil('the lease has run out', async () => (await other.log.orphans(10)).includes(turnId))
  assert.equal(await other.log.takeOver(turnId, LEASE_MS), 2)
  assert.equal(await paused.log.takeOver(turnId, LEASE_MS), undefined)
  await other.log.append(turnId, 2, [text(1, 'b')])
  assert.equal(await paused.log.append(turnId, 1, [text(1, 'x')]), false)
  assert.equal(await paused.log.renew(turnId, 1, LEASE_MS), undefined)
  await other.log.append(turnId, 2, [text(2, 'c'), turnEnd])
  await reader.ended()
  assert.equal(reader.text, 'abc')
  assert.deepEqual(await paused.log.read(turnId, -1), await other.log.read(turnId, -1))
})

test('turn log: nodes that search for orphans at once find the same, and one takes over each', async (context) => {
  const owner = await clusterNode(context, server.url)
  const nodes = [owner, await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnIds = Array.from({ length: 30 }, nextTurnId)
  await Promise.all(turnIds.map((turnId) => owner.log.open(startNow({ turnId }), 50)))
  const isOrphaned = async () => {
    const orphans = await Promise.all(nodes.map(({ log }) => log.orphans(100)))
    return orphans.every((found) => turnIds.every((turnId) => found.includes(turnId)))
  }
  await waitUntil('every node finds every orphan', isOrphaned)
  const taken = await Promise.all(turnIds.flatMap((turnId) => nodes.map(({ log }) => log.takeOver(turnId, LEASE_MS))))
  assert.equal(taken.filter((epoch) => epoch === 2).length, turnIds.length)
  assert.deepEqual(
    (await owner.log.orphans(100)).filter((turnId) => turnIds.includes(turnId)),
    [],
  )
})

test('turn log: every key of a turn expires', async (context) => {
  const node = await clusterNode(context, server.url)
  await node.redis.command(undefined, 'FLUSHALL')
  const turnId = nextTurnId()
  await node.log.open(startNow({ turnId }), LEASE_MS)
  const reader = await turnLogReader(node.log, fromStart(turnId))
  await node.log.append(turnId, 1, [text(0, 'a')])
  await node.log.append(turnId, 1, [turnEnd])
  await reader.ended()
  const other = await clusterNode(context, server.url)
  await collectLog(other.log, { turnId })
  const keys = (await node.redis.command(undefined, 'KEYS', '*')) as string[]
  assert.ok(keys.length >= 4)
  for (const key of keys) assert.ok(Number(await node.redis.command(key, 'PTTL', key)) > 0, key)
})

test('turn log: on a Redis Cluster too, a turn of one node is read and stopped on another', async (context) => {
  await using cluster = await startRedisCluster()
  const [owner, other] = [await clusterNode(context, cluster.url), await clusterNode(context, cluster.url)]
  for (const turnId of [nextTurnId(), nextTurnId(), nextTurnId(), nextTurnId()]) {
    await owner.log.open(startNow({ turnId }), LEASE_MS)
    const stopped = Promise.withResolvers<void>()
    using _ = owner.log.onStop(turnId, stopped.resolve)
    const reader = await turnLogReader(other.log, fromStart(turnId))
    for (let index = 0; index < 10; index += 1) await owner.log.append(turnId, 1, [text(index, 'x')])
    await reader.reached(10)
    await other.log.requestStop(turnId)
    await stopped.promise
    await owner.log.append(turnId, 1, [turnEnd])
    await reader.ended()
    assert.equal(reader.text, 'x'.repeat(10))
  }
  assert.equal(other.counted('turn_log_gap_total'), 0)
})

test('turn log: a turn that its node releases wakes another node, which takes it over with all text, and its readers follow there', async (context) => {
  const [leaving, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  const turnId = nextTurnId()
  let calls = 0
  using _ = other.log.onReleased(() => (calls += 1))
  const channel = 'ma:{leases}:released'
  await waitUntil('the other node listens', async () => (await listeners(other, channel)) > 0)
  await leaving.log.open(startNow({ turnId }), LEASE_MS)
  const readers = await Promise.all([leaving, other].map(({ log }) => turnLogReader(log, fromStart(turnId))))
  await leaving.log.append(turnId, 1, [text(0, 'before ')])
  await leaving.log.release(turnId, 1)
  await waitUntil('the other node was woken', () => calls > 0)
  assert.ok((await other.log.orphans(100)).includes(turnId))
  assert.equal(await other.log.takeOver(turnId, LEASE_MS), 2)
  await other.log.append(turnId, 2, [text(7, 'and after'), turnEnd])
  for (const reader of readers) {
    await reader.ended()
    assert.equal(reader.text, 'before and after')
  }
  assert.equal(leaving.counted('turn_log_lost_total'), 0)
})
