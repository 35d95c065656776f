// The facts that decide whether nodes can rely on a Redis: read at the start and by `doctor`.
import { RedisUnavailable } from './connection.ts'
import type { Redis } from './connection.ts'

export interface RedisFacts {
  readonly version: string
  /** Old versions lack sharded channels and scripts with declared keys. */
  readonly tooOld: boolean
  /** What Redis does when its memory is full; any policy but `noeviction` loses budgets and running answers. */
  readonly evictionPolicy: string
  /**
   * What survives a crash of Redis: `appendonly` nearly everything, `save-points` the last snapshot, `none` nothing;
   * `unknown` where the append-only file is off and the service does not show whether snapshots are made.
   */
  readonly persistence: 'appendonly' | 'save-points' | 'none' | 'unknown'
}

/** Valkey reports here the Redis version that it is compatible with. */
const VERSION = /^redis_version:(\d+)([^\s]*)/m
const POLICY = /^maxmemory_policy:(\S+)/m
const APPEND_ONLY = /^aof_enabled:1/m
const MAJOR_MIN = 7

export const NO_EVICTION = 'noeviction'

export async function redisFacts(redis: Pick<Redis, 'command'>): Promise<RedisFacts> {
  const server = String(await redis.command(undefined, 'INFO', 'server'))
  // Read from INFO, because managed services forbid CONFIG.
  const memory = String(await redis.command(undefined, 'INFO', 'memory'))
  const [, major = '0', rest = ''] = VERSION.exec(server) ?? []
  return {
    version: `${major}${rest}`,
    tooOld: Number(major) < MAJOR_MIN,
    evictionPolicy: POLICY.exec(memory)?.[1] ?? 'unknown',
    persistence: await persistenceOf(redis),
  }
}

/** The time of Redis, in milliseconds since the epoch. */
export async function redisNow(redis: Pick<Redis, 'command'>): Promise<number> {
  const [seconds = '0', micros = '0'] = textsIn(await redis.command(undefined, 'TIME'))
  return Number(seconds) * 1000 + Number(micros) / 1000
}

async function persistenceOf(redis: Pick<Redis, 'command'>): Promise<RedisFacts['persistence']> {
  if (APPEND_ONLY.test(String(await redis.command(undefined, 'INFO', 'persistence')))) return 'appendonly'
  try {
    const savePoints = textsIn(await redis.command(undefined, 'CONFIG', 'GET', 'save'))
    return savePoints.some((text) => /\d/.test(text)) ? 'save-points' : 'none'
  } catch (error) {
    // Managed services forbid CONFIG, by a message of their own or by an ACL rule.
    const refused = error instanceof RedisUnavailable && error.cause instanceof Error ? error.cause.message : ''
    if (/^(?:NOPERM|ERR)\b/.test(refused)) return 'unknown'
    throw error
  }
}

/** The reply is a list or a map, depending on the version of the protocol. */
function textsIn(answer: unknown): string[] {
  if (answer instanceof Map) return [...answer].flat().map(String)
  if (Array.isArray(answer)) return answer.map(String)
  return typeof answer === 'object' && answer !== null ? Object.values(answer).map(String) : [String(answer)]
}
