// Plays a storm in the fleet simulation, with the defaults of the server, and sizes the regions that the real one gets, too.
import { promiseDrain } from '../../packages/server/src/adapters/system/promise-drain.ts'
import { defaults } from '../../packages/server/src/config/config.ts'
import { laneOf } from '../../packages/server/src/domain/lane/lanes-of.ts'
import { readCatalogue, readFaq } from '../../packages/server/src/wiring/bundled-data.ts'
import { readModelBook } from '../../packages/server/src/wiring/models/model-facts.ts'
import { policies } from '../../packages/simulation/src/policies/policies.ts'
import { capacityOf } from '../../packages/simulation/src/provider/capacity.ts'
import type { Capacity } from '../../packages/simulation/src/provider/habits.ts'
import type { FleetScenario } from '../../packages/simulation/src/scenario/scenario.ts'
import type { FleetWorld } from '../../packages/simulation/src/world/fleet-world.ts'
import type { Visit } from '../../packages/simulation/src/world/person.ts'
import { runFleet, usualCall } from '../../packages/simulation/src/world/run-fleet.ts'
import { openShop } from '../../packages/simulation/src/world/shop.ts'
import { CIRCUIT_POLL_MS, CircuitWatch } from './circuits.ts'
import type { Played } from './played.ts'

/** The same shoppers come in every run: a blip meets few of them, and how many come together decides what becomes of it. */
const CROWD_SEED = 1

export interface Simulation {
  readonly play: (storm: FleetScenario, seed: number) => Promise<Played>
  /** The capacity of each model of the ladder, by its name. */
  readonly capacities: (storm: FleetScenario) => Promise<ReadonlyMap<string, Capacity>>
}

export async function openSimulation(): Promise<Simulation> {
  const [{ products }, faq, book] = await Promise.all([readCatalogue(), readFaq(), readModelBook()])
  const shop = await openShop(products, faq)
  const parts = {
    config: defaults,
    shop,
    factsOf: (id: string) => book.factsOf({ provider: 'bedrock', id }),
    drain: promiseDrain(),
  }
  return {
    async play(storm, seed) {
      const visits: Visit[] = []
      const circuits = new CircuitWatch()
      const run = await runFleet({
        ...parts,
        scenario: storm,
        policy: policies.ours,
        seed,
        crowdSeed: CROWD_SEED,
        onVisit: (visit) => void visits.push(visit),
        onWorld: (world) => follow(world, storm, circuits),
      })
      if (run.breaches.length > 0) throw new Error(`${storm.name}, seed ${seed}: ${run.breaches.join(', ')}`)
      return { visits, calls: run.seconds.map(({ attempts }) => attempts), openedAtMs: circuits.openedAtMs }
    },
    async capacities(storm) {
      const usual = await usualCall(storm, parts)
      return new Map(storm.ladder.map(({ name, size }) => [name, capacityOf(size, usual)]))
    },
  }
}

function follow(world: FleetWorld, { durationS, ladder }: FleetScenario, circuits: CircuitWatch): void {
  const poll = () => {
    const [node] = world.nodes
    for (const { name } of ladder) {
      if (node !== undefined) circuits.saw(name, node.lane(laneOf(world.config, name)).phase, world.atMs)
    }
    if (world.atMs < durationS * 1000) world.time.after(CIRCUIT_POLL_MS, poll)
  }
  world.time.after(CIRCUIT_POLL_MS, poll)
}
