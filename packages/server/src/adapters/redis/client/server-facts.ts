// What a Redis says of itself that decides whether a fleet can stand on it: read at start-up and by `doctor`.
import { RedisUnavailable } from './connection.ts'
import type { Redis } from './connection.ts'

export interface RedisFacts {
  readonly version: string
  /** Old ones lack sharded channels and scripts that declare their keys. */
  readonly tooOld: boolean
  /** What it does when its memory is full; anything but `noeviction` forgets budgets and answers under way. */
  readonly evictionPolicy: string
  /**
   * What survives a crash of Redis: `appendonly` nearly everything, `save-points` what was there at the last of them, `none`
   * nothing; `unknown` where the append-only file is off and its owner does not say whether there are save points.
   */
  readonly persistence: 'appendonly' | 'save-points' | 'none' | 'unknown'
}

/** Valkey says here which Redis it is like. */
const VERSION = /^redis_version:(\d+)([^\s]*)/m
const POLICY = /^maxmemory_policy:(\S+)/m
const APPEND_ONLY = /^aof_enabled:1/m
const MAJOR_MIN = 7

export const NO_EVICTION = 'noeviction'

export async function redisFacts(redis: Pick<Redis, 'command'>): Promise<RedisFacts> {
  const server = String(await redis.command(undefined, 'INFO', 'server'))
  // Asked of INFO, because managed services forbid CONFIG.
  const memory = String(await redis.command(undefined, 'INFO', 'memory'))
  const [, major = '0', rest = ''] = VERSION.exec(server) ?? []
  return {
    version: `${major}${rest}`,
    tooOld: Number(major) < MAJOR_MIN,
    evictionPolicy: POLICY.exec(memory)?.[1] ?? 'unknown',
    persistence: await persistenceOf(redis),
  }
}

async function persistenceOf(redis: Pick<Redis, 'command'>): Promise<RedisFacts['persistence']> {
  if (APPEND_ONLY.test(String(await redis.command(undefined, 'INFO', 'persistence')))) return 'appendonly'
  try {
    const savePoints = textsIn(await redis.command(undefined, 'CONFIG', 'GET', 'save'))
    return savePoints.some((text) => /\d/.test(text)) ? 'save-points' : 'none'
  } catch (error) {
    // Managed services forbid CONFIG, by their own words or by an access rule.
    const refused = error instanceof RedisUnavailable && error.cause instanceof Error ? error.cause.message : ''
    if (/^(?:NOPERM|ERR)\b/.test(refused)) return 'unknown'
    throw error
  }
}

/** An answer is a list or a map, by the version of the protocol. */
function textsIn(answer: unknown): string[] {
  if (answer instanceof Map) return [...answer].flat().map(String)
  if (Array.isArray(answer)) return answer.map(String)
  return typeof answer === 'object' && answer !== null ? Object.values(answer).map(String) : [String(answer)]
}
