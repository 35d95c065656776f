// The profile of a cluster: shared data is in the stores that the configuration chooses, each node's own data in its DATA_DIR. Any
// node serves any shopper, reads any running answer, and takes over turns of a node that died.
import { watchForEmptied } from '#adapters/redis/client/emptied-watch.ts'
import type { Redis } from '#adapters/redis/client/connection.ts'
import { redisNodeRegistry } from '#adapters/redis/node-registry/node-registry.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { lostSpending } from '#resilience/lost-spending.ts'
import type { Clock } from '#ports/clock/port.ts'
import { accountNamer } from '../identity/account-names.ts'
import { lentKeys } from '../identity/lent-keys.ts'
import { refuseHalfMoved } from '../migration/marker.ts'
import { openClusterRedis } from '../stores/cluster-redis.ts'
import { nodeFacts } from '../node-facts.ts'
import { sharedDynamo } from '../stores/open-dynamo.ts'
import { openStores } from '../stores/open-stores.ts'
import { patiently } from '../stores/patiently.ts'
import type { Wiring, WiringParts } from '../wiring.ts'
import { openNode } from './node.ts'
import { sharedPorts } from './shared-ports.ts'

/** What nodes hold back in an outage is written a few seconds after it at the latest (`RetryLater`). */
const CATCH_UP_MS = 8000

export async function wireCluster(config: Config, parts: WiringParts): Promise<Wiring> {
  await using opened = new AsyncDisposableStack()
  const { clock, env, random, telemetry } = parts
  const redis = opened.use(await openClusterRedis(config, parts))
  await refuseHalfMoved(redis)
  const dynamo = sharedDynamo(config, parts, opened)
  const node = opened.use(await openNode(config, parts, dynamo))
  const { accountKey, cookieKeys, lendAgain } = await lentKeys({ redis, env, telemetry, own: node.cookieKey })
  // A restarted process is a new node: it does not own the leases and permits of the old one.
  const nodeId = random.id('node')
  const nameOf = accountNamer(accountKey)
  const stores = await openStores({
    config,
    clock,
    random,
    telemetry,
    nodeId,
    database: node.database,
    redis,
    dynamo,
    nameOf,
    opened,
  })
  const troubledAt = () => redis.troubledAt()
  const registry = redisNodeRegistry({ redis, self: nodeFacts(nodeId, clock) })
  const ceilings = { store: config.budgets.storeMicroUsdPerDay, guests: config.budgets.guestsMicroUsdPerDay }
  const today = () => dayOf(clock.now(), config.store.timeZone)
  const allowanceMicroUsd = config.state.alone.microUsdPerNode
  const spending = opened.use(
    lostSpending({ ...stores, nodeId, clock, telemetry, today, limits: ceilings, allowanceMicroUsd }),
  )
  const onEmptied = async (epoch: string) => {
    spending.restore(epoch)
    await lendAgain()
  }
  const watch = opened.use(await patiently(() => watchForEmptied({ redis, clock, random, telemetry, onEmptied })))
  const epoch = () => watch.epoch()
  // Every node tries it, because the node that would do it may have died.
  spending.restore(await patiently(epoch))
  const capped = { ...stores, spendChunks: spending.chunks }
  const shared = opened.use(sharedPorts({ stores: capped, registry, config, clock, telemetry, troubledAt, epoch }))
  const wasTroubledAt = () => Math.max(redis.troubledAt(), dynamo.troubledAt())
  const keep = opened.move()
  return {
    ports: {
      ...node.ports,
      ...shared.ports,
      pseudonymOf: nameOf,
      storeLanes: [redis.lane, ...dynamo.lanes()],
      isCatchingUp: () => clock.now() - wasTroubledAt() < CATCH_UP_MS,
    },
    cookieKeys,
    probes: node.probes,
    // Charges that wait to be written are shown with the state of Redis.
    optionalProbes: {
      redis: async () => ({ ...(await probe(redis, clock)), unsettled: shared.chargesWaiting() }),
      ...dynamo.probes(),
    },
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

async function probe(redis: Redis, clock: Clock): Promise<Readonly<Record<string, number>>> {
  const at = clock.now()
  await redis.command(undefined, 'PING')
  return { roundTripMs: clock.now() - at }
}
