// A worker process: makes one simulated run for each message and sends back its result. Forked by
// `packages/simulation/bench/fleet.ts`.
import { openSimulation } from '../../src/commands/fleet/open-simulation.ts'
import { loadFleetScenario } from '../../src/scenario/bundled.ts'
import type { Task } from './table-plan.ts'

const simulate = await openSimulation()

process.on('disconnect', () => process.exit())
process.on('message', ({ policy, scenario, seed }: Task) => {
  const before = process.cpuUsage()
  void simulate({ scenario: loadFleetScenario(scenario), policy, seed }).then((run) => {
    const { system, user } = process.cpuUsage(before)
    process.send?.({ run, cpuMs: Math.round((user + system) / 1000) })
  })
})
