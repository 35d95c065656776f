// Where the permits and the state of lanes are.
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
    // A node that joins knows from its first question on which lanes an operator has closed.
    await lanes.tick()
    return lanes
  },
}
