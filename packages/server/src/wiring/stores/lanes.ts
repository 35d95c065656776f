// Opens the store of lanes: their permits and their state.
import { memoryLanes } from '#adapters/memory/lanes.ts'
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
