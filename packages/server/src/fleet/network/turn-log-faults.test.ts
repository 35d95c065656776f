// The production turn log over the simulated store, when single calls of a node are lost: a turn whose owner died is found
// again by whoever scans, or by whoever reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { RedisUnavailable } from '#adapters/redis/connection.ts'
import type { Redis } from '#adapters/redis/connection.ts'
import { redisTurnLog } from '#adapters/redis/turn-log.ts'
import { seededChance } from '#adapters/virtual/chance.ts'
import { LOG_BOUNDS } from '#domain/log-trimming.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { startNow } from '../../../test/fixtures/fleet-nodes.ts'
import { LEASE_MS } from '../../../test/fixtures/turn-logs.ts'
import { simulatedRedis } from './simulated-redis.ts'
import { SimulatedStore } from './simulated-store.ts'
import { StoreLink } from './store-link.ts'
import { StoreNetwork } from './store-network.ts'

const RENEW_MS = 3000
const POSTPONED_MS = 1000

/** Nodes over one store; what a node calls by a name in `lost` does not arrive. */
function world() {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  const node = (nodeId: string) => {
    const lost = new Set<string>()
    const network = new StoreNetwork({ clock, chance: seededChance('network') })
    const awake = { ...clock, whenAwake: (action: () => void) => action() }
    const whole = simulatedRedis(
      store,
      new StoreLink({ network, node: awake, telemetry: memoryTelemetry(), callMs: 50 }),
    )
    const redis: Redis = {
      ...whole,
      run: async (script, keys, args) => {
        if (lost.has(script.name)) throw new RedisUnavailable(`${script.name} was lost`, { isLate: true })
        return whole.run(script, keys, args)
      },
    }
    const parts = { redis, clock, telemetry: memoryTelemetry(), nodeId, keepMs: 3_600_000, bounds: LOG_BOUNDS }
    return { log: redisTurnLog(parts), lost }
  }
  return { clock, store, owner: node('node_1'), other: node('node_2') }
}

test('a turn that the index missed is taken over once somebody reads it', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  assert.equal(await owner.log.open(startNow(), LEASE_MS), true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), [], 'nobody has told the index')
  const gone = new AbortController()
  const reader = other.log.follow('turn_1', -1, gone.signal)[Symbol.asyncIterator]()
  await reader.next()
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
  gone.abort()
})

test('a turn that fell out of the index is told to it again by the next renewals', async () => {
  const { clock, owner, other, store } = world()
  await owner.log.open(startNow(), LEASE_MS)
  for (let shard = 0; shard < 16; shard += 1) store.command(['ZREM', `ma:{leases:${shard}}`, 'turn_1'])
  await clock.advance(RENEW_MS)
  await owner.log.renew('turn_1', 1, LEASE_MS)
  await clock.advance(POSTPONED_MS)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})

test('a single lost call to the index is made up for before anybody is told of the turn', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  const opened = owner.log.open(startNow(), LEASE_MS)
  owner.lost.clear()
  assert.equal(await opened, true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})
