// Several processes as one: what they share is in Redis, what each can have for itself is in its own DATA_DIR. Any of
// them serves any shopper, reads any answer under way, and finishes what another left.
import { resilientLedger } from '#resilience/ledger.ts'
import { createRebuildDay } from '#resilience/lost-day.ts'
import { resilientRateChunks } from '#resilience/rate-chunks.ts'
import { resilientBudgets } from '#resilience/budgets.ts'
import type { ResilientBudgets } from '#resilience/budgets.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { pseudonymousBudgets } from '#adapters/pseudonymous/budgets.ts'
import { redisAdminStore } from '#adapters/redis/admin-store/admin-store.ts'
import { redisAnswerCache } from '#adapters/redis/answer-cache/answer-cache.ts'
import { openRedis, RedisUnavailable } from '#adapters/redis/client/connection.ts'
import type { OperableRedis, Redis } from '#adapters/redis/client/connection.ts'
import { redisDeferredStore } from '#adapters/redis/deferred-store/deferred-store.ts'
import { watchForEmptied } from '#adapters/redis/client/emptied-watch.ts'
import { redisEstimatorStore } from '#adapters/redis/estimator-store/estimator-store.ts'
import { redisLanes } from '#adapters/redis/lanes/lanes.ts'
import { redisLedger } from '#adapters/redis/ledger/ledger.ts'
import { redisRateChunks } from '#adapters/redis/rate-chunks/rate-chunks.ts'
import { NO_EVICTION, redisFacts } from '#adapters/redis/client/server-facts.ts'
import { redisSessionStore } from '#adapters/redis/session-store/session-store.ts'
import { redisBudgets } from '#adapters/redis/budgets/budgets.ts'
import { redisSpendChunks } from '#adapters/redis/spend-chunks/spend-chunks.ts'
import { redisTurnLog } from '#adapters/redis/turn-log/turn-log.ts'
import type { Config } from '#config/config.ts'
import { laneLeaseMs, lanePolicies } from '#domain/lane/lanes-of.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { accountNamer } from '../identity/account-names.ts'
import { cookieKeysIn } from '../identity/cookie-keys.ts'
import { openNode } from './node.ts'
import { StartError } from '../start-error.ts'
import type { Wiring, WiringParts } from '../wiring.ts'

const COOKIE_KEY = 'ma:{fleet}:cookie-key'
const ACCOUNT_KEY = 'ma:{fleet}:account-key'
const START_TRIES_MAX = 5
const ADVICE = 'Start it or change state.redis (MANGA_STATE__REDIS); without it one process serves alone from DATA_DIR.'

export async function wireCluster(config: Config, parts: WiringParts): Promise<Wiring> {
  await using opened = new AsyncDisposableStack()
  const { clock, telemetry } = parts
  const redis = opened.use(await openClusterRedis(config, parts))
  const node = opened.use(await openNode(config, parts))
  const { sessions, turns } = config
  const { bounds } = node
  // A restarted process is another node: what the old one held is not its own.
  const nodeId = parts.random.id('node')
  const policies = lanePolicies(config)
  const lanes = redisLanes({ ...parts, redis, nodeId, policies, leaseMs: laneLeaseMs(config) })
  // A node that joins knows from its first question on what a person has shut.
  await lanes.tick()
  const ledger = redisLedger({ redis, clock })
  // Not the cookie key: a new one of those would be a new budget for everybody, and two at once two budgets.
  const accountKey = (await patiently(() => lendKey(redis, ACCOUNT_KEY, node.cookieKey))) ?? node.cookieKey
  const accounts = pseudonymousBudgets({ budgets: redisBudgets({ redis }), nameOf: accountNamer(accountKey) })
  const budgets = opened.use(standaloneBudgets(config, { redis, ledger, accounts }, parts))
  const ports = {
    ...node.ports,
    sessions: redisSessionStore({ redis, clock, keepMs: sessions.idleExpiryMs + sessions.keepMs }),
    turnLog: opened.use(redisTurnLog({ redis, clock, telemetry, nodeId, keepMs: turns.keepMs, bounds })),
    budgets,
    rateChunks: resilientRateChunks({
      shared: redisRateChunks({ redis }),
      local: memoryRateChunks({ clock }),
      telemetry,
      nodes: config.state.alone.nodes,
    }),
    spendChunks: redisSpendChunks({ redis }),
    ledger: opened.use(resilientLedger({ ledger, clock, telemetry })),
    admin: redisAdminStore({ redis }),
    estimators: redisEstimatorStore({ redis }),
    lanes,
    redisLane: redis.lane,
    answers: redisAnswerCache({ redis, clock, limits: config.answers }),
    deferred: redisDeferredStore({ redis, limits: config.deferred }),
  }
  const cookieKeys = cookieKeysIn(parts.env) ?? (await sharedCookieKeys(redis, node.cookieKey, telemetry))
  const isLent = cookieKeysIn(parts.env) === undefined
  // Nodes that start later must know the guests and the accounts of those that are here.
  const onEmptied = async () => {
    await lendKey(redis, ACCOUNT_KEY, accountKey)
    if (isLent) await lendKey(redis, COOKIE_KEY, cookieKeys[0])
  }
  opened.use(await patiently(() => watchForEmptied({ ...parts, redis, onEmptied })))
  const keep = opened.move()
  return {
    ports,
    cookieKeys,
    probes: node.probes,
    // What waits to be charged is told beside how Redis is.
    dispensable: { redis: async () => ({ ...(await probe(redis, clock)), unsettled: budgets.waiting }) },
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

/** While Redis is away a node helps itself, a little. */
function standaloneBudgets(
  { state }: Config,
  { accounts, ledger, redis }: { readonly accounts: Budgets; readonly ledger: Ledger; readonly redis: Redis },
  { clock, telemetry }: WiringParts,
): ResilientBudgets {
  const { inputTokensPerUser, microUsdPerNode, microUsdPerUser, nodes, outputTokensPerUser } = state.alone
  const perUser = {
    inputTokens: inputTokensPerUser,
    outputTokens: outputTokensPerUser,
    costMicroUsd: microUsdPerUser,
  }
  return resilientBudgets({
    shared: accounts,
    rebuildDay: createRebuildDay({ ledger, budgets: accounts, telemetry }),
    troubledAt: () => redis.troubledAt(),
    callMs: state.callMs,
    local: memoryBudgets({ clock }),
    clock,
    telemetry,
    allowance: { nodes, perUser, microUsdPerNode },
  })
}

async function openClusterRedis(config: Config, { clock, random, telemetry }: WiringParts): Promise<OperableRedis> {
  await using opened = new AsyncDisposableStack()
  const { callMs, connectMs, redis: url = '' } = config.state
  const policy = dependencyPolicy(config, 'redis')
  try {
    const redis = opened.use(await openRedis({ url, clock, random, telemetry, callMs, connectMs, policy }))
    const { evictionPolicy, persistence, tooOld, version } = await patiently(() => redisFacts(redis))
    if (tooOld)
      throw new StartError(`Redis at ${new URL(url).host} is version ${version}; version 7 or newer is needed.`)
    if (evictionPolicy !== NO_EVICTION) telemetry.log('warn', 'redis.evicts', { evictionPolicy, wanted: NO_EVICTION })
    if (persistence !== 'appendonly') telemetry.log('warn', 'redis.forgets', { persistence, wanted: 'appendonly' })
    opened.move()
    return redis
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error
    const why = error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : ''
    throw new StartError(`${error.message}${why}. ${ADVICE}`, { cause: error })
  }
}

/**
 * The nodes must know each other's guests, so with nothing in the environment the first to come lends the others its
 * key. Its own still verifies: whoever it knew while it was alone is known to it and gets a new cookie.
 */
async function sharedCookieKeys(redis: Redis, own: Uint8Array, telemetry: Telemetry): Promise<SigningKeys> {
  const advice = 'set MANGA_COOKIE_KEY to the same value on every node; until then they share a key through Redis'
  telemetry.log('warn', 'fleet.cookie-key-shared', { advice })
  const first = await patiently(() => lendKey(redis, COOKIE_KEY, own))
  if (first === undefined || first.equals(own)) return [own]
  return [first, own]
}

/** Answers the key that was there before. */
async function lendKey(redis: Redis, name: string, own: Uint8Array): Promise<Buffer | undefined> {
  const offered = Buffer.from(own).toString('base64url')
  const first = await redis.command(name, 'SET', name, offered, 'NX', 'GET')
  return typeof first === 'string' ? Buffer.from(first, 'base64url') : undefined
}

/** A process that is starting is busy: one late answer then says nothing about Redis. */
async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; tries < START_TRIES_MAX; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error
    }
  }
  return call()
}

async function probe(redis: Redis, clock: Clock): Promise<Readonly<Record<string, number>>> {
  const at = clock.now()
  await redis.command(undefined, 'PING')
  return { roundTripMs: clock.now() - at }
}
