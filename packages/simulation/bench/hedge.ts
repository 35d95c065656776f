// Cost and gain of asking a second model when the first is slow (`hedge.enabled`), in virtual time: the same seeds with
// it and without it.
import { parseArgs } from 'node:util'
import { openSimulation } from '../src/commands/fleet/open-simulation.ts'
import type { FleetRun } from '../src/fleet/fleet-run.ts'
import { compare } from '../src/fleet/figures.ts'
import { loadFleetScenario } from '../src/scenario/bundled.ts'
import type { FleetScenario } from '../src/scenario/scenario.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    /** A `=` after the name replaces all models of the ladder by the first one, at its price. */
    scenarios: { type: 'string', default: 'slow-words,slow-words=,brownout' },
  },
})
const FIRST_SEED = 1001
const SHARES = [undefined, 0.05, 0.1]

function scenarioOf(name: string): FleetScenario {
  const scenario = loadFleetScenario(name.replace(/=$/, ''))
  const model = scenario.ladder[0]?.model
  if (!name.endsWith('=') || model === undefined) return scenario
  return { ...scenario, ladder: scenario.ladder.map((rung) => ({ ...rung, model })) }
}

const simulate = await openSimulation()
const rows: string[] = []
for (const name of values.scenarios.split(',')) {
  for (const shareMax of SHARES) {
    const scenario = scenarioOf(name)
    const hedge = shareMax === undefined ? {} : { 'hedge.enabled': true, 'hedge.shareMax': shareMax }
    const settings = { ...scenario.settings, ...hedge }
    const runs: FleetRun[] = []
    for (let index = 0; index < Number(values.seeds); index += 1) {
      runs.push(await simulate({ scenario: { ...scenario, settings }, policy: 'ours', seed: FIRST_SEED + index }))
    }
    const broken = runs.flatMap(({ breaches }) => breaches)
    if (broken.length > 0) throw new Error(`a broken invariant: ${broken[0]}`)
    const { arrivals, attempts, firstWordMs, goodput, microUsd } = compare(runs).median
    const times = [firstWordMs.p50, firstWordMs.p95, firstWordMs.p99].map((ms) => `${(ms / 1000).toFixed(2)} s`)
    const usd = ((microUsd / arrivals / 1e6) * 1000).toFixed(3)
    const label = shareMax === undefined ? 'off' : `${shareMax * 100} %`
    const cells = [name, label, ...times, (attempts / arrivals).toFixed(3), usd, `${(goodput * 100).toFixed(1)} %`]
    rows.push(`| ${cells.join(' | ')} |`)
    console.error(rows.at(-1))
  }
}
const head = ['scenario', 'hedge', 'p50', 'p95', 'p99', 'calls a question', 'USD a thousand', 'good']
console.log([`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n'))
