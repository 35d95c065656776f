// The action of `mangaassist fleet`: runs a scenario with each requested policy and prints the results, or lists the
// bundled scenarios.
import { writeFile } from 'node:fs/promises'
import { defaults } from '@mangaassist/server/config/config'
import { compare } from '../../fleet/figures.ts'
import type { FleetRun } from '../../fleet/fleet-run.ts'
import { policies } from '../../policies/policies.ts'
import { reportPage } from '../../report/page.ts'
import { runSummary } from '../../report/summary.ts'
import { comparisonTable } from '../../report/table.ts'
import { bundledScenarioNames, loadFleetScenario } from '../../scenario/bundled.ts'
import type { FleetScenario } from '../../scenario/scenario.ts'
import { fleetConfig } from '../../world/fleet-config.ts'
import type { Terminal } from '@mangaassist/server/cli/command'
import { policiesOf, scenarioOf, seedOf } from './fleet-flags.ts'
import type { ScenarioFlags } from './fleet-flags.ts'
import { openSimulation } from './open-simulation.ts'
import { progressOf } from './progress.ts'
import { reportBreaches } from './report-breaches.ts'

interface RunFlags extends ScenarioFlags {
  readonly seed?: string | undefined
  readonly policy?: string | undefined
  readonly html?: string | undefined
  readonly json?: boolean | undefined
  readonly seconds?: boolean | undefined
}

const NAME_CHARS = 15

export async function runScenario(given: RunFlags, terminal: Terminal): Promise<number> {
  const names = policiesOf(given.policy)
  const seed = seedOf(given.seed)
  const scenario = scenarioOf(given)
  // Reports a bad setting now, not after the first minute of simulation.
  for (const name of names) fleetConfig(policies[name].config(defaults), scenario)
  const simulate = await openSimulation()
  const runs: FleetRun[] = []
  for (const policy of names) {
    const onSecond = progressOf(terminal.stderr, `${scenario.name} · ${policy}`, scenario.durationS)
    runs.push(await simulate({ scenario, policy, seed, onSecond }))
  }
  const comparison = runs.length > 1 ? runs.map(rowOf) : []
  if (given.json === true) printJson(terminal, runs, given.seconds === true)
  else {
    const table = comparison.length > 0 ? [comparisonTable(comparison)] : []
    terminal.stdout.write([...runs.map(runSummary), ...table].join('\n'))
  }
  if (given.html !== undefined) await writeFile(given.html, reportPage({ runs }))
  return reportBreaches(terminal, runs)
}

export function list({ stdout }: Terminal): number {
  const lines = bundledScenarioNames().map((name) => `${described(loadFleetScenario(name))}\n`)
  stdout.write(lines.join(''))
  return 0
}

function rowOf(run: FleetRun) {
  return { scenario: run.scenario, policy: run.policy, runs: 1, ...compare([run]) }
}

function printJson({ stdout }: Terminal, runs: readonly FleetRun[], withSeconds: boolean): void {
  for (const { seconds, ...run } of runs) {
    stdout.write(`${JSON.stringify(withSeconds ? { ...run, seconds } : run)}\n`)
  }
}

function described({ about, arrivals, durationS, name, nodes }: FleetScenario): string {
  const size = `${nodes} nodes, ${arrivals.perSecond} arrivals/s, ${durationS} s`
  return `${name.padEnd(NAME_CHARS)}  ${about}\n${' '.repeat(NAME_CHARS)}  ${size}`
}
