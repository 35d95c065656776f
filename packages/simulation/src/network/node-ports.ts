// Builds the shared ports of one simulated node with the production profile: links that can fail take the place of a
// connection to Redis. The turn log and the lanes are the production adapters; the other stores are in memory behind
// the link.
import { memoryLanes } from '@mangaassist/server/adapters/memory/lanes'
import { memoryNodeRegistry } from '@mangaassist/server/adapters/memory/node-registry'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import { redisLanes } from '@mangaassist/server/adapters/redis/lanes/lanes'
import { redisTurnLog } from '@mangaassist/server/adapters/redis/turn-log/turn-log'
import type { Config } from '@mangaassist/server/config/config'
import { laneLeaseMs, lanePolicies } from '@mangaassist/server/domain/lane/lanes-of'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import type { Random } from '@mangaassist/server/ports/random/port'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Lanes } from '@mangaassist/server/ports/lanes/port'
import type { NodeRegistry } from '@mangaassist/server/ports/node-registry/port'
import type { Telemetry } from '@mangaassist/server/ports/telemetry/port'
import { sharedPorts } from '@mangaassist/server/wiring/profiles/shared-ports'
import type { SharedPorts } from '@mangaassist/server/wiring/profiles/shared-ports'
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
  /** Links to the shared stores and to the sessions; each can be unavailable without the other. */
  readonly shared: StoreLink
  readonly sessions: StoreLink
  /** If given, replaces the shared lanes: every lane has this policy and is counted by this node only. */
  readonly lanePolicy?: LanePolicy
}

type Stores = Omit<SharedPorts['ports'], 'registry'>

export interface NodePorts extends AsyncDisposable {
  readonly ports: SharedPorts['ports']
  /** Number of turns whose charge or ledger rows this node has not written yet. */
  unsettled(): number
  /** Cuts every connection: the node is dead. */
  sever(): void
}

export function nodePorts(parts: NodePortsParts): NodePorts {
  const { clock, config, nodeId, shared: link, telemetry } = parts
  const redis = simulatedRedis(parts.stores.turnsAndLanes, link)
  const turnLog = redisTurnLog({
    redis,
    clock,
    telemetry,
    nodeId,
    keepMs: config.turns.keepMs,
    bounds: { recordsMax: config.turns.logRecordsMax, bytesMax: config.turns.logBytesMax },
  })
  const stores: Stores = { turnLog, lanes: lanesOf(parts, redis), ...moneyOf(parts), ...storesOf(parts) }
  const registry = registryOf(parts)
  const shared = sharedPorts({ stores, registry, config, clock, telemetry, troubledAt: () => link.troubledAt })
  return {
    ports: shared.ports,
    unsettled: () => shared.chargesWaiting() + shared.rowsWaiting(),
    sever() {
      link.sever()
      parts.sessions.sever()
      redis.disconnect()
    },
    async [Symbol.asyncDispose]() {
      await shared[Symbol.asyncDispose]()
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

function registryOf({ clock, nodeId, shared, stores }: NodePortsParts): NodeRegistry {
  const self = { id: nodeId, host: nodeId, version: 'simulated', startedAt: clock.now() }
  const of = () => memoryNodeRegistry({ self, clock: stores.clock, entries: stores.nodes })
  return networked(shared, { name: 'nodes', of, verbs: ['announce', 'leave'] })
}

function moneyOf({ shared, stores }: NodePortsParts) {
  return {
    budgets: networked(shared, {
      name: 'state',
      of: () => stores.budgets,
      urgent: 'claim',
      verbs: [
        'admit',
        'admitCompared',
        'markCompared',
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
    }),
    ledger: networked(shared, {
      name: 'ledger',
      of: () => stores.ledger,
      verbs: ['record', 'ofTurn', 'hasSpent', 'totals', 'groups', 'page', 'rename'],
    }),
    rateChunks: networked(shared, { name: 'rates', of: () => stores.rateChunks, verbs: ['lease', 'giveBack'] }),
    spendChunks: networked(shared, {
      name: 'spending',
      of: () => stores.spendChunks,
      verbs: ['lease', 'giveBack', 'charge', 'taken'],
    }),
  }
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
    handovers: networked(shared, {
      name: 'handovers',
      of: () => stores.handovers,
      verbs: ['add', 'find', 'move', 'list', 'ofSession', 'ofPrincipal', 'forget', 'adopt', 'sweep'],
    }),
    turnRecords: networked(shared, {
      name: 'turn-records',
      of: () => stores.turnRecords,
      verbs: ['add', 'find', 'page', 'setFeedback', 'note', 'unitOf', 'adopt', 'forget', 'sweep'],
    }),
    alarms: networked(shared, { name: 'alarms', of: () => stores.alarms, verbs: ['report', 'read', 'write'] }),
    carts: networked(shared, {
      name: 'carts',
      of: () => stores.carts,
      verbs: ['read', 'edit', 'adopt', 'forget', 'sweep'],
    }),
    orders: networked(shared, {
      name: 'orders',
      of: () => stores.orders,
      verbs: ['place', 'list', 'find', 'findByKey', 'adopt', 'forget', 'sweep'],
    }),
    modelHistory: networked(shared, {
      name: 'model-history',
      of: () => stores.modelHistory,
      verbs: ['add', 'read'],
    }),
    tasks: networked(shared, { name: 'tasks', of: () => stores.tasks, verbs: ['take', 'save'] }),
  }
}
