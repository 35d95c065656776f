// A process that makes one simulated run after another, as it is told, and answers with each. Forked by `bench/fleet.ts`.
import { openSimulation } from '../../packages/server/src/cli/fleet/open-simulation.ts'
import { loadFleetScenario } from '../../packages/server/src/fleet/scenario/bundled.ts'
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
