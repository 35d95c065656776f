// Runs the contract of the turn log on a real Redis Cluster of three nodes, where a script that accesses another slot
// fails.
import { after, before } from 'node:test'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { turnLogContract } from '#ports/turn-log/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import type { RedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis } from '../client/connection.ts'
import { redisTurnLog } from './turn-log.ts'

const CALL_MS = 5000
let cluster: RedisCluster | undefined
before(async () => {
  cluster = await startRedisCluster()
})
after(async () => cluster?.[Symbol.asyncDispose]())

turnLogContract('turn log on a redis cluster', async (context, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  await cluster?.flush()
  const redis = await openRedis({
    url: cluster?.url ?? '',
    random: systemRandom(),
    clock: systemClock(),
    telemetry,
    callMs: CALL_MS,
    connectMs: CALL_MS,
    now: () => clock.now(),
  })
  context.after(() => redis[Symbol.asyncDispose]())
  return { log: redisTurnLog({ redis, clock, telemetry, nodeId: 'node_1', keepMs: 3_600_000, bounds }), clock }
})
