// Alarms with a real Redis: one that is killed, and two nodes that share the board, of which the leader goes. Waits are bounded by what
// they wait for; no assertion depends on their duration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAlarmSender } from '#adapters/memory/alarms/sender.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { redisAlarmBoard } from '#adapters/redis/alarm-board/alarm-board.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { redisNodeRegistry } from '#adapters/redis/node-registry/node-registry.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricsSink } from '#adapters/system/metrics-sink.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { AlarmEvaluator } from '#domain/alarms/evaluator.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { NEVER } from '#lib/async/never.ts'
import { createNodeWatch } from '#services/nodes.ts'
import { AlarmWatch } from '#services/alarms/alarm-watch.ts'

/** Bounds only a hang. */
const PATIENT_MS = 30_000
const EVERY_MS = 5000
const MINUTE_MS = 60_000

test('redis-unreachable does not fire while Redis answers, and fires when it is killed', async () => {
  await using server = await startRedis()
  const clock = systemClock()
  const metrics = new MetricsRegistry()
  const telemetry = memoryTelemetry({ sinks: [metricsSink(metrics)] })
  const parts = { clock, random: systemRandom(), telemetry, callMs: PATIENT_MS, connectMs: PATIENT_MS }
  await using redis = await openRedis({ url: server.url, ...parts })
  const evaluator = new AlarmEvaluator(alarmTable, clock.now())
  const firing = () => evaluator.evaluate(clock.now(), metrics).map(({ id }) => id)
  for (let calls = 0; calls < 20; calls += 1) {
    assert.equal(await redis.command(undefined, 'PING'), 'PONG')
    assert.deepEqual(firing(), [])
  }
  server.process.kill('SIGKILL')
  await waitUntil('the alarm fires', () => firing().includes('redis-unreachable'))
})

test('two nodes on one Redis send one message, also when the leader changes, and one resolve', async () => {
  await using server = await startRedis()
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const common = { random: systemRandom(), telemetry, callMs: PATIENT_MS, connectMs: PATIENT_MS }
  const connect = () => openRedis({ url: server.url, clock: systemClock(), ...common, now: () => clock.now() })
  await using one = await connect()
  await using two = await connect()
  const sender = memoryAlarmSender('desk')
  let downSince: number | undefined
  const figures = {
    figures: (metric: string) =>
      metric === 'lane_down_seconds' && downSince !== undefined
        ? [{ labels: { lane: 'primary' }, value: (clock.now() - downSince) / 1000 }]
        : [],
  }
  const products = { edition: async () => undefined }
  const open = (redis: typeof one, id: string) => {
    const registry = redisNodeRegistry({ redis, self: sampleNode(id) })
    const load = () => ({ turns: 0, connections: 0 })
    const nodes = createNodeWatch({ registry, clock, telemetry, products, load, draining: NEVER })
    const watch = new AlarmWatch({
      board: redisAlarmBoard({ redis }),
      clock,
      telemetry,
      figures,
      senders: [sender],
      alarms: new Map(alarmTable.map((alarm) => [alarm.id, alarm])),
      runbookUrl: 'docs/runbooks/',
      language: 'ja',
      groupMs: 10_000,
      self: registry.self,
      severitiesOf: () => ['page'],
      nodes,
    })
    return { nodes, watch }
  }
  const cluster = [open(one, 'node_1'), open(two, 'node_2')]
  const run = async (ms: number) => {
    for (const until = clock.now() + ms; clock.now() < until;) {
      await clock.advance(EVERY_MS)
      for (const { nodes } of cluster) await nodes.announce()
      await Promise.all(cluster.map(({ watch }) => watch.round()))
      await Promise.all(cluster.map(({ watch }) => watch.delivered()))
    }
  }
  const sent = () => sender.sent.map(({ kind }) => kind)
  await run(MINUTE_MS)
  downSince = clock.now()
  await run(2 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired'])
  assert.equal(sender.sent[0]?.evidence[0]?.hosts.length, 2)
  const leader = cluster.find(({ nodes }) => nodes.isLeader())
  assert.ok(leader !== undefined)
  await leader.nodes.leave()
  cluster.splice(cluster.indexOf(leader), 1)
  await run(5 * MINUTE_MS)
  assert.deepEqual([sent(), cluster[0]?.nodes.isLeader()], [['fired'], true])
  downSince = undefined
  await run(2 * MINUTE_MS)
  assert.deepEqual(sent(), ['fired', 'resolved'])
  assert.match(sender.sent[1]?.text ?? '', /復旧/)
})
