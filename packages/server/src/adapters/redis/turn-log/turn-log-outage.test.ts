// Running turns when a real Redis pauses, dies, comes back empty, or cannot be reached by one node: the owner continues and
// its readers see everything; afterwards the shared log is complete, or the turn belongs to another node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cuttableLine } from '#fixtures/stores/cuttable-line.ts'
import { clusterNode, startNow } from '#fixtures/turns/cluster-nodes.ts'
import type { ClusterNode } from '#fixtures/turns/cluster-nodes.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { turnLogReader } from '#fixtures/turns/turn-log-reader.ts'
import { LEASE_MS, text, turnEnd } from '#fixtures/turns/turn-logs.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { RedisUnavailable } from '../client/connection.ts'

/** Short enough to notice a paused Redis, and long enough for a working one on a busy machine. */
const HASTY = { callMs: 1000 }
/** Shorter than the margin for a reply's delay: the lease is never certain. */
const SHORT_LEASE_MS = 500
const reading = { turnId: 'turn_1', afterSeq: -1, known: '', isEager: true }

async function say(node: ClusterNode, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1)
    assert.equal(await node.log.append('turn_1', 1, [text(index, String(index % 10))]), true)
}

const said = (to: number) => Array.from({ length: to }, (_, index) => String(index % 10)).join('')

async function textOn(node: ClusterNode): Promise<string> {
  const reader = await turnLogReader(node.log, { ...reading, isEager: false })
  await reader.leave('return')
  return reader.text
}

test('turn log: while Redis is paused the owner continues, and afterwards the shared log is complete', async (context) => {
  await using server = await startRedis()
  const [owner, other] = [await clusterNode(context, server.url, HASTY), await clusterNode(context, server.url)]
  await owner.log.open(startNow(), LEASE_MS)
  await say(owner, 0, 3)
  const [own, foreign] = [await turnLogReader(owner.log, reading), await turnLogReader(other.log, reading)]
  server.process.kill('SIGSTOP')
  // Also beyond the bounds, so that the records written afterwards begin with a snapshot.
  await say(owner, 3, 100)
  await own.reached(100)
  assert.equal(own.text, said(100))
  assert.equal(owner.counted('turn_log_standalone_total'), 1)
  assert.deepEqual(await owner.log.renew('turn_1', 1, LEASE_MS), { unattendedMs: 0 })
  // The lease still holds, but it may lapse before the log has this, and then another node may write another answer.
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  server.process.kill('SIGCONT')
  await foreign.reached(100)
  assert.equal(foreign.text, said(100))
  await waitUntil('the shared log is complete', () => owner.counted('turn_log_backfilled_total') === 1)
  assert.equal(await owner.log.confirm('turn_1', 1), true)
  await owner.log.append('turn_1', 1, [text(100, '!'), turnEnd])
  await Promise.all([own.ended(), foreign.ended()])
  assert.equal(foreign.text, `${said(100)}!`)
  assert.equal(await textOn(other), `${said(100)}!`)
})

test('turn log: an owner without Redis cannot confirm that it still owns the turn', async (context) => {
  await using server = await startRedis()
  const owner = await clusterNode(context, server.url, HASTY)
  await owner.log.open(startNow(), SHORT_LEASE_MS)
  server.process.kill('SIGSTOP')
  await say(owner, 0, 3)
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  // No other node can know a turn that was opened meanwhile.
  await owner.log.open(startNow({ turnId: 'turn_3' }), SHORT_LEASE_MS)
  assert.equal(await owner.log.confirm('turn_3', 1), true)
  server.process.kill('SIGCONT')
})

test('turn log: the owner writes its turn again to a Redis that came back empty, and it is found there', async (context) => {
  const server = await startRedis()
  const owner = await clusterNode(context, server.url, HASTY)
  await owner.log.open(startNow(), LEASE_MS)
  await say(owner, 0, 5)
  const own = await turnLogReader(owner.log, reading)
  await owner.log.requestStop('turn_1')
  await server[Symbol.asyncDispose]()
  await say(owner, 5, 10)
  await own.reached(10)
  await using _ = await startRedis({ port: server.port })
  const other = await clusterNode(context, server.url)
  await waitUntil('the other node finds the turn', async () => (await other.log.start('turn_1')) !== undefined)
  assert.equal(await textOn(other), said(10))
  const stopped = Promise.withResolvers<void>()
  using _stop = other.log.onStop('turn_1', stopped.resolve)
  await stopped.promise
  await owner.log.append('turn_1', 1, [turnEnd])
  await own.ended()
  assert.deepEqual(await other.log.forgetSession('sess_1'), ['turn_1'])
})

test('turn log: a Redis that lost a turn without new records gets it with the next renewal', async (context) => {
  await using server = await startRedis()
  const [owner, other] = [await clusterNode(context, server.url), await clusterNode(context, server.url)]
  await owner.log.open(startNow(), LEASE_MS)
  await say(owner, 0, 5)
  await owner.redis.command(undefined, 'FLUSHALL')
  assert.notEqual(await owner.log.renew('turn_1', 1, LEASE_MS), undefined)
  await waitUntil('the other node finds the turn', async () => (await other.log.start('turn_1')) !== undefined)
  assert.equal(await textOn(other), said(5))
  await say(owner, 5, 6)
  assert.equal(await textOn(other), said(6))
})

test('turn log: a turn opened and ended while Redis is unavailable is in the shared log afterwards', async (context) => {
  await using server = await startRedis()
  const [owner, other] = [await clusterNode(context, server.url, HASTY), await clusterNode(context, server.url)]
  server.process.kill('SIGSTOP')
  assert.equal(await owner.log.open(startNow(), LEASE_MS), true)
  assert.equal(await owner.log.open(startNow(), LEASE_MS), false)
  const own = await turnLogReader(owner.log, reading)
  await say(owner, 0, 5)
  let wasStopped = false
  using _ = owner.log.onStop('turn_1', () => (wasStopped = true))
  await owner.log.requestStop('turn_1')
  assert.equal(wasStopped, true)
  await owner.log.append('turn_1', 1, [turnEnd])
  await own.ended()
  assert.equal(own.text, said(5))
  assert.equal((await owner.log.read('turn_1', -1))?.length, 7)
  server.process.kill('SIGCONT')
  await waitUntil('the other node reads it all', async () => (await other.log.read('turn_1', -1))?.length === 7)
  assert.deepEqual(await other.log.orphans(10), [])
})

test('turn log: without Redis a node reports the store as unavailable for a turn that it does not have', async (context) => {
  await using server = await startRedis()
  const node = await clusterNode(context, server.url, HASTY)
  server.process.kill('SIGSTOP')
  await assert.rejects(node.log.read('turn_1', -1), RedisUnavailable)
  await assert.rejects(node.log.start('turn_1'), RedisUnavailable)
  await assert.rejects(node.log.requestStop('turn_1'), RedisUnavailable)
  await assert.rejects(node.log.renew('turn_1', 1, LEASE_MS), RedisUnavailable)
  await assert.rejects(turnLogReader(node.log, reading), RedisUnavailable)
  server.process.kill('SIGCONT')
  await waitUntil('Redis answers again', async () => {
    const start = await node.log.start('turn_1').catch(() => null)
    return start === undefined
  })
})

test('turn log: an owner that was cut off and replaced writes no more, and ends its readers with an error', async (context) => {
  await using server = await startRedis()
  await using line = await cuttableLine(server.url)
  const owner = await clusterNode(context, line.address.replace('http:', 'redis:'), HASTY)
  const other = await clusterNode(context, server.url)
  await owner.log.open(startNow(), 500)
  await say(owner, 0, 3)
  const own = await turnLogReader(owner.log, reading)
  line.cut()
  await say(owner, 3, 6)
  await own.reached(6)
  const failing = assert.rejects(own.ended(), RedisUnavailable)
  await waitUntil('the turn is taken over', async () => (await other.log.takeOver('turn_1', LEASE_MS)) === 2)
  await say(owner, 6, 7)
  await other.log.append('turn_1', 2, [text(3, 'other'), turnEnd])
  line.mend()
  await failing
  assert.equal(await owner.log.append('turn_1', 1, [text(7, 'x')]), false)
  assert.equal(await owner.log.renew('turn_1', 1, LEASE_MS), undefined)
  assert.equal(await textOn(owner), '012other')
  assert.equal(owner.counted('turn_log_lost_total'), 1)
})
