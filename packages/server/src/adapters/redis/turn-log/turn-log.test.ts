// Runs the contract of the turn log on a real Redis.
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { turnLogContract } from '#ports/turn-log/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { redisTurnLog } from './turn-log.ts'

const redisFor = cleanRedis()

turnLogContract('redis turn log', async (context, bounds = LOG_BOUNDS) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const parts = { redis, clock, telemetry: memoryTelemetry(), nodeId: 'node_1', keepMs: 3_600_000 }
  return { log: redisTurnLog({ ...parts, bounds }), clock }
})
