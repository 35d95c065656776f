// The production adapters over the simulated store pass the contracts that they pass over a real Redis.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '@mangaassist/server/adapters/memory/telemetry'
import { redisLanes } from '@mangaassist/server/adapters/redis/lanes/lanes'
import { redisTurnLog } from '@mangaassist/server/adapters/redis/turn-log/turn-log'
import { seededRandom } from '../virtual/random.ts'
import { LOG_BOUNDS } from '@mangaassist/server/domain/turn/log-bounds'
import { lanesContract } from '@mangaassist/server/ports/lanes/contract'
import { turnLogContract } from '@mangaassist/server/ports/turn-log/contract'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { random, LANES_LEASE_MS, testPolicies } from '@mangaassist/server/fixtures/lanes/shared-lanes'
import { sampleStart } from '@mangaassist/server/fixtures/turns/samples'
import { twoLaneNodes } from '@mangaassist/server/fixtures/lanes/two-lane-nodes'
import { simulatedRedis } from './simulated-redis.ts'
import { SimulatedStore } from './simulated-store.ts'
import { StoreLink } from './store-link.ts'
import { StoreNetwork } from './store-network.ts'

function linked(clock: ReturnType<typeof manualClock>, store: SimulatedStore) {
  const network = new StoreNetwork({ clock, random: seededRandom('network') })
  const node = { ...clock, whenRunning: (action: () => void) => action() }
  return simulatedRedis(
    store,
    new StoreLink({ network, node, random: seededRandom(3), telemetry: memoryTelemetry(), callMs: 50 }),
  )
}

turnLogContract('the turn log of a simulated node', async (_, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  const redis = linked(clock, new SimulatedStore(clock))
  const parts = { redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_1', keepMs: 3_600_000 }
  return { log: redisTurnLog({ ...parts, bounds }), clock }
})

function lanesOn(clock: ReturnType<typeof manualClock>, store: SimulatedStore, nodeId: string) {
  const parts = { random, telemetry: memoryTelemetry(), policies: testPolicies, leaseMs: LANES_LEASE_MS }
  return redisLanes({ ...parts, redis: linked(clock, store), clock, nodeId })
}

lanesContract('the lanes of a simulated node', async () => {
  const clock = manualClock()
  return { lanes: lanesOn(clock, new SimulatedStore(clock), 'node_1'), clock }
})

lanesContract('the lanes of two simulated nodes', async () => {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  return { lanes: twoLaneNodes(lanesOn(clock, store, 'node_1'), lanesOn(clock, store, 'node_2')), clock }
})

test('a restart loses lanes and subscriptions, and keeps turns, their leases and the maintenance mark', async () => {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  const parts = { clock, telemetry: memoryTelemetry(), nodeId: 'node_1', keepMs: 3_600_000, bounds: LOG_BOUNDS }
  using log = redisTurnLog({ ...parts, redis: linked(clock, store) })
  assert.equal(await log.open(sampleStart(), 1000), true)
  const before = await log.read(sampleStart().turnId, -1)
  store.command(['SET', '{lanes}:maintenance', '1'])
  store.command(['SET', '{lane:x}:state', '1'])
  store.subscribe('news', { receive: () => assert.fail('a lost subscription was served') })
  store.restart()
  assert.equal(store.command(['EXISTS', '{lane:x}:state']), 0)
  assert.equal(store.command(['EXISTS', '{lanes}:maintenance']), 1)
  assert.equal(store.command(['SPUBLISH', 'news', 'x']), 0)
  assert.deepEqual(await log.read(sampleStart().turnId, -1), before)
  await clock.advance(1001)
  assert.deepEqual(await log.orphans(10), [sampleStart().turnId])
})
