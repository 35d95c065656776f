// The shared ports of one simulated node: the composition of wiring/profiles/cluster.ts, adapter by adapter, over links that can fail in
// place of a connection to Redis. The turn log and the lanes are the production adapters themselves; the other ports are
// memory behind the link, with the same stand-ins on top for when it is away.
import { resilientLedger } from '@mangaassist/server/resilience/ledger'
import { createRebuildDay } from '@mangaassist/server/resilience/lost-day'
import { resilientRateChunks } from '@mangaassist/server/resilience/rate-chunks'
import { resilientBudgets } from '@mangaassist/server/resilience/budgets'
import { memoryLanes } from '@mangaassist/server/adapters/memory/lanes'
import { memoryRateChunks } from '@mangaassist/server/adapters/memory/rate-chunks'
import { memoryBudgets } from '@mangaassist/server/adapters/memory/budgets'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import { redisLanes } from '@mangaassist/server/adapters/redis/lanes/lanes'
import { redisTurnLog } from '@mangaassist/server/adapters/redis/turn-log/turn-log'
import type { Ports } from '@mangaassist/server/app/app'
import type { Config } from '@mangaassist/server/config/config'
import { laneLeaseMs, lanePolicies } from '@mangaassist/server/domain/lane/lanes-of'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import type { Random } from '@mangaassist/server/ports/random/port'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Lanes } from '@mangaassist/server/ports/lanes/port'
import type { Ledger } from '@mangaassist/server/ports/ledger/port'
import type { Telemetry } from '@mangaassist/server/ports/telemetry/port'
import { networked } from './networked.ts'
import type { SharedStores } from './shared-stores.ts'
import { simulatedRedis } from './simulated-redis.ts'
import type { StoreLink } from './store-link.ts'

export interface NodePortsParts {
  readonly nodeId: string
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly config: Config
  readonly stores: SharedStores
  /** To the shared state, and to the conversations: each can be away without the other. */
  readonly shared: StoreLink
  readonly sessions: StoreLink
  /** In place of the lanes of the fleet: every lane by this policy, counted by this node alone. */
  readonly lanePolicy?: LanePolicy
}

type SharedPorts = Pick<
  Ports,
  | 'sessions'
  | 'turnLog'
  | 'budgets'
  | 'rateChunks'
  | 'spendChunks'
  | 'ledger'
  | 'admin'
  | 'estimators'
  | 'lanes'
  | 'answers'
  | 'deferred'
>

export interface NodePorts extends AsyncDisposable {
  readonly ports: SharedPorts
  /** Of how many turns this node has yet to make the charge or to write the rows. */
  unsettled(): number
  /** The node is dead. */
  sever(): void
}

export function nodePorts(parts: NodePortsParts): NodePorts {
  const { clock, config, nodeId, shared, stores, telemetry } = parts
  const redis = simulatedRedis(stores.turnsAndLanes, shared)
  const turnLog = redisTurnLog({
    redis,
    clock,
    telemetry,
    nodeId,
    keepMs: config.turns.keepMs,
    bounds: { recordsMax: config.turns.logRecordsMax, bytesMax: config.turns.logBytesMax },
  })
  const books = networked(shared, {
    name: 'ledger',
    of: () => stores.ledger,
    verbs: ['record', 'ofTurn', 'hasSpent', 'totals', 'groups', 'page', 'rename'],
  })
  const state = stateOf(parts, books)
  const ledger = resilientLedger({ ledger: books, clock, telemetry })
  const ports: SharedPorts = {
    turnLog,
    budgets: state,
    ledger,
    rateChunks: rateChunksOf(parts),
    spendChunks: networked(shared, {
      name: 'spending',
      of: () => stores.spendChunks,
      verbs: ['lease', 'giveBack', 'charge', 'taken'],
    }),
    lanes: lanesOf(parts, redis),
    ...storesOf(parts),
  }
  return {
    ports,
    unsettled: () => state.waiting + ledger.waiting,
    sever() {
      shared.sever()
      parts.sessions.sever()
      redis.hangUp()
    },
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      await state[Symbol.asyncDispose]()
      turnLog[Symbol.dispose]()
    },
  }
}

function lanesOf({ lanePolicy, ...parts }: NodePortsParts, redis: Redis): Lanes {
  const policies = lanePolicies(parts.config)
  const leaseMs = laneLeaseMs(parts.config)
  if (lanePolicy === undefined) return redisLanes({ ...parts, redis, policies, leaseMs })
  const own = new Map([...policies.keys()].map((lane) => [lane, lanePolicy]))
  return memoryLanes({ ...parts, policies: own, leaseMs })
}

function stateOf({ clock, config, shared: link, stores, telemetry }: NodePortsParts, ledger: Ledger) {
  const { inputTokensPerUser, microUsdPerNode, microUsdPerUser, nodes, outputTokensPerUser } = config.state.alone
  const perUser = { inputTokens: inputTokensPerUser, outputTokens: outputTokensPerUser, costMicroUsd: microUsdPerUser }
  const shared = networked(link, {
    name: 'state',
    of: () => stores.budgets,
    urgent: 'claim',
    verbs: [
      'admit',
      'claimed',
      'claim',
      'narrow',
      'extend',
      'renew',
      'settle',
      'reset',
      'release',
      'forgetClaim',
      'quota',
      'runningTurn',
      'carryOver',
    ],
  })
  return resilientBudgets({
    shared,
    rebuildDay: createRebuildDay({ ledger, budgets: shared, telemetry }),
    troubledAt: () => link.troubledAt,
    callMs: config.state.callMs,
    local: memoryBudgets({ clock }),
    clock,
    telemetry,
    allowance: { nodes, perUser, microUsdPerNode },
  })
}

function rateChunksOf({ clock, config, shared, stores, telemetry }: NodePortsParts) {
  return resilientRateChunks({
    shared: networked(shared, { name: 'rates', of: () => stores.rateChunks, verbs: ['lease', 'giveBack'] }),
    local: memoryRateChunks({ clock }),
    telemetry,
    nodes: config.state.alone.nodes,
  })
}

function storesOf({ sessions, shared, stores }: NodePortsParts) {
  return {
    sessions: networked(sessions, {
      name: 'sessions',
      of: () => stores.sessions,
      verbs: ['create', 'find', 'recentTurns', 'append', 'summarise', 'listOf', 'remove', 'adopt', 'sweep'],
    }),
    admin: networked(shared, {
      name: 'admin',
      of: () => stores.admin,
      verbs: ['overrides', 'setTier', 'setUser', 'note', 'audit'],
    }),
    estimators: networked(shared, { name: 'estimators', of: () => stores.estimators, verbs: ['load', 'merge'] }),
    answers: networked(shared, {
      name: 'answers',
      of: () => stores.answers,
      verbs: ['find', 'keep', 'claim', 'forgetOf'],
    }),
    deferred: networked(shared, {
      name: 'deferred',
      of: () => stores.deferred,
      verbs: ['accept', 'claim', 'done', 'count', 'ofPrincipal'],
    }),
  }
}
