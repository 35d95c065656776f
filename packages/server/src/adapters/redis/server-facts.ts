// What a Redis says of itself that decides whether a fleet can stand on it: read at start-up and by `doctor`.
import type { Redis } from './connection.ts'

export interface RedisFacts {
  readonly version: string
  /** Old ones lack sharded channels and scripts that declare their keys. */
  readonly tooOld: boolean
  /** What it does when its memory is full; anything but `noeviction` forgets budgets and answers under way. */
  readonly evictionPolicy: string
}

/** Valkey says here which Redis it is like. */
const VERSION = /^redis_version:(\d+)([^\s]*)/m
const POLICY = /^maxmemory_policy:(\S+)/m
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
  }
}
