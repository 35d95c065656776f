// Opens the store of lanes, with their permits and their state, and the history of lanes and models.
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { sqliteModelHistory } from '#adapters/sqlite/model-history/model-history.ts'
import { laneLeaseMs, lanePolicies } from '#domain/lane/lanes-of.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const laneStores: StoreTable<'lanes'> = {
  memory: async ({ clock, config, random }) =>
    memoryLanes({ clock, random, policies: lanePolicies(config), leaseMs: laneLeaseMs(config) }),
  async redis(parts) {
    const { redisLanes } = await import('#adapters/redis/lanes/lanes.ts')
    const { clock, config, nodeId, random, telemetry } = parts
    const settings = { policies: lanePolicies(config), leaseMs: laneLeaseMs(config) }
    const lanes = redisLanes({ redis: redisOf(parts), clock, random, telemetry, nodeId, ...settings })
    // Read before the first question, so that a new node knows which lanes an operator has forced open.
    await lanes.tick()
    return lanes
  },
}

export const modelHistories: StoreTable<'modelHistory'> = {
  sqlite: async ({ clock, database }) => sqliteModelHistory({ clock, database }),
  async redis(parts) {
    const { redisModelHistory } = await import('#adapters/redis/model-history/model-history.ts')
    return redisModelHistory({ clock: parts.clock, redis: redisOf(parts) })
  },
}
