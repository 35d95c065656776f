// Connects a node to the Redis of its cluster. A problem with that Redis stops the start or is logged.
import { openRedis, RedisUnavailable } from '#adapters/redis/client/connection.ts'
import type { OperableRedis } from '#adapters/redis/client/connection.ts'
import { NO_EVICTION, redisFacts } from '#adapters/redis/client/server-facts.ts'
import type { Config } from '#config/config.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { StartError } from '../start-error.ts'
import type { SystemParts } from '../system.ts'
import { patiently } from './patiently.ts'

const ADVICE = 'Start it or change state.redis (MANGA_STATE__REDIS); without it one process serves alone from DATA_DIR.'

export async function openClusterRedis(
  config: Config,
  { clock, random, telemetry }: SystemParts,
): Promise<OperableRedis> {
  await using opened = new AsyncDisposableStack()
  const { callMs, connectMs, redis: url = '' } = config.state
  const policy = dependencyPolicy(config, 'redis')
  try {
    const redis = opened.use(await openRedis({ url, clock, random, telemetry, callMs, connectMs, policy }))
    const { evictionPolicy, persistence, tooOld, version } = await patiently(() => redisFacts(redis))
    if (tooOld)
      throw new StartError(`Redis at ${new URL(url).host} is version ${version}; version 7 or newer is needed.`)
    if (evictionPolicy !== NO_EVICTION)
      telemetry.log('warn', 'redis.eviction-enabled', { evictionPolicy, wanted: NO_EVICTION })
    if (persistence !== 'appendonly')
      telemetry.log('warn', 'redis.not-persistent', { persistence, wanted: 'appendonly' })
    opened.move()
    return redis
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error
    const why = error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : ''
    throw new StartError(`${error.message}${why}. ${ADVICE}`, { cause: error })
  }
}
