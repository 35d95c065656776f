// The checks of `doctor` for a cluster: the Redis that its nodes share, and the key with which they sign cookies.
import { openRedis, RedisUnavailable } from '#adapters/redis/client/connection.ts'
import { NO_EVICTION, redisFacts, redisNow } from '#adapters/redis/client/server-facts.ts'
import type { RedisFacts } from '#adapters/redis/client/server-facts.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import { COOKIE_KEY_VARIABLE } from '#config/load-config.ts'
import { cookieKeysIn } from '#wiring/identity/cookie-keys.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'
import { clockFinding, LEASE_LIMITS } from './clocks.ts'
import { differenceOf } from './reach.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'

/** No findings without `state.redis`. */
export async function checkCluster({ state }: Config, env: Terminal['env'], isLive = false): Promise<Finding[]> {
  const { connectMs, redis } = state
  return redis === undefined ? [] : [...(await checkRedis(redis, { connectMs, isLive })), checkCookieKey(env)]
}

async function checkRedis(
  url: string,
  { connectMs, isLive }: { readonly connectMs: number; readonly isLive: boolean },
): Promise<Finding[]> {
  const check = 'redis'
  const { host } = new URL(url)
  try {
    // No shopper waits here: a call may take as long as connecting.
    const clock = systemClock()
    const options = { url, connectMs, callMs: connectMs, clock, random: systemRandom() }
    await using redis = await openRedis({ ...options, telemetry: NO_TELEMETRY })
    const { evictionPolicy, persistence, tooOld, version } = await redisFacts(redis)
    const detail = `${host}, version ${version}`
    if (tooOld) return [{ check, ok: false, detail, fix: 'Use Redis or Valkey 7 or newer.' }]
    const before = clock.now()
    const clocks = isLive
      ? [clockFinding(host, differenceOf(await redisNow(redis), before, clock.now()), LEASE_LIMITS)]
      : []
    return [{ check, ok: true, detail }, eviction(evictionPolicy), PERSISTENCE[persistence], ...clocks]
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return [{ check, ok: false, detail: `${error.message}${why}`, fix: 'Start it, or change state.redis.' }]
  }
}

function eviction(policy: string): Finding {
  const finding = { check: 'redis memory', ok: true, detail: `maxmemory-policy ${policy}` }
  if (policy === NO_EVICTION) return finding
  const fix = `Set maxmemory-policy to ${NO_EVICTION}: Redis would evict budgets and answers in flight.`
  return { ...finding, isWarning: true, fix }
}

const APPEND = 'Set appendonly to yes: conversations, budgets and the ledger are in Redis.'
const stored = { check: 'redis persistence', ok: true } as const

const PERSISTENCE: Readonly<Record<RedisFacts['persistence'], Finding>> = {
  appendonly: { ...stored, detail: 'appendonly yes' },
  'save-points': {
    ...stored,
    isWarning: true,
    detail: 'appendonly no, save points only: a crash of Redis loses everything since the last one',
    fix: APPEND,
  },
  none: {
    ...stored,
    isWarning: true,
    detail: 'appendonly no and no save points: a restart of Redis loses everything',
    fix: APPEND,
  },
  unknown: {
    ...stored,
    isWarning: true,
    detail: 'appendonly no, and this Redis does not say whether it has save points',
    fix: APPEND,
  },
}

function checkCookieKey(env: Terminal['env']): Finding {
  const check = 'cookie key'
  if (cookieKeysIn(env) !== undefined) return { check, ok: true, detail: `from ${COOKIE_KEY_VARIABLE}` }
  const fix = `Set ${COOKIE_KEY_VARIABLE} to the same value on every node; until then they share one through Redis.`
  return { check, ok: true, isWarning: true, detail: 'not in the environment', fix }
}
