// Two nodes over a real Redis: who leads when one is paused for longer than its lease, when Redis is emptied, and which share a
// node grants when Redis dies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { redisNodeRegistry } from '#adapters/redis/node-registry/node-registry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { NEVER } from '#lib/async/never.ts'
import { NODE_LEASE_MS } from '#ports/node-registry/port.ts'
import { ANNOUNCE_EVERY_MS, createNodeWatch } from '#services/nodes.ts'
import { configure } from '#wiring/configure.ts'
import { wireCluster } from '#wiring/profiles/cluster.ts'

const open = cleanRedis()
const IDLE = { turns: 0, connections: 0, isDraining: false, edition: null }

async function twoNodes(context: TestContext) {
  const clock = manualClock()
  const redis = await open(context, clock)
  const watchOf = (id: string) => {
    const registry = redisNodeRegistry({ redis, self: sampleNode(id) })
    const products = { edition: async () => undefined }
    const load = () => ({ turns: 0, connections: 0 })
    return createNodeWatch({ registry, clock, telemetry: memoryTelemetry(), products, load, draining: NEVER })
  }
  const [tokyo, osaka] = [watchOf('tokyo'), watchOf('osaka')]
  const pass = async (rounds: number, ...nodes: readonly ReturnType<typeof watchOf>[]) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const node of nodes) await node.announce()
      await clock.advance(ANNOUNCE_EVERY_MS)
    }
  }
  const leaders = () => [tokyo.isLeader(), osaka.isLeader()]
  return { redis, tokyo, osaka, pass, leaders }
}

test('at most one node leads while the leader is paused for longer than its lease, and when it returns', async (context) => {
  const { leaders, osaka, pass, tokyo } = await twoNodes(context)
  await pass(2, tokyo, osaka)
  assert.deepEqual(leaders(), [true, false])
  await pass(2, osaka)
  assert.equal(
    leaders().filter(Boolean).length,
    0,
    'its lease has lapsed here, and it may hold it in Redis for a moment',
  )
  await pass(1, osaka)
  assert.deepEqual(leaders(), [false, true])
  await pass(2, tokyo, osaka)
  assert.deepEqual(leaders(), [false, true])
  assert.deepEqual(
    osaka.seen()?.nodes.map(({ id }) => id),
    ['osaka', 'tokyo'],
  )
})

test('when Redis was emptied the nodes register again, and one leads', async (context) => {
  const { leaders, osaka, pass, redis, tokyo } = await twoNodes(context)
  await pass(2, tokyo, osaka)
  await redis.command(undefined, 'FLUSHALL')
  await pass(2, osaka, tokyo)
  assert.deepEqual(leaders(), [false, true])
  assert.equal(tokyo.seen()?.nodes.length, 2)
})

async function wireNode(context: TestContext, url: string) {
  const folder = tempDir(context)
  const env = { DATA_DIR: folder, MANGA_STATE__REDIS: url, MANGA_STATE__CALLMS: '1000' }
  const { config, readBook } = await configure({ env, workspaceRoot: folder })
  const system = systemClock()
  const time = { aheadMs: 0 }
  const clock = { ...system, now: () => system.now() + time.aheadMs }
  const storeIndex = lendIndex(folder)
  const wiring = await wireCluster(config, {
    clock,
    random: systemRandom(),
    telemetry: memoryTelemetry(),
    env,
    readBook,
  })
  storeIndex()
  context.after(() => wiring[Symbol.asyncDispose]())
  return { ports: wiring.ports, time }
}

test('when Redis dies each of two nodes grants half of a rate, the number that it last saw', async (context) => {
  await using redis = await startRedis()
  const nodes = [await wireNode(context, redis.url), await wireNode(context, redis.url)]
  const announce = async () => {
    for (const { ports } of nodes) await ports.registry.announce(IDLE)
  }
  await announce()
  // They have watched for a lease, by their own clocks.
  for (const { time } of nodes) time.aheadMs = NODE_LEASE_MS
  await announce()
  redis.process.kill('SIGKILL')
  const bucket = { name: 'chat', perSecond: 1, burst: 40 }
  for (const { ports } of nodes) assert.equal((await ports.rateChunks.lease(bucket, 40, 'op_1')).granted, 20)
})
