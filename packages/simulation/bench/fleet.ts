// The whole comparison of policies: every scenario by every policy over many seeds, on several processes. Results are
// stored, so that it can be interrupted; at the end it writes the table, the page, and the comparison with the targets.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compare } from '../src/fleet/figures.ts'
import type { PolicyName } from '../src/fleet/fleet-run.ts'
import { policies } from '../src/policies/policies.ts'
import type { ComparisonRow } from '../src/report/comparison.ts'
import { reportPage } from '../src/report/page.ts'
import { comparisonTable } from '../src/report/table.ts'
import { bundledScenarioNames, loadFleetScenario } from '../src/scenario/bundled.ts'
import { keyOf, StoredResults } from './fleet/stored-results.ts'
import type { Result } from './fleet/stored-results.ts'
import { runAll } from './fleet/run-all.ts'
import { FIRST_SEED, HEADLINE, planOf, weightOf } from './fleet/table-plan.ts'
import type { Task } from './fleet/table-plan.ts'
import { targetLines, targetsOf } from './fleet/targets.ts'

const OUT_DEFAULT = resolve(import.meta.dirname, '../../../data/local/fleet')
const DRAWN_SEED = FIRST_SEED

const { values } = parseArgs({
  options: {
    'seeds-headline': { type: 'string', default: '30' },
    seeds: { type: 'string', default: '10' },
    scenarios: { type: 'string', default: bundledScenarioNames().join(',') },
    policies: { type: 'string', default: Object.keys(policies).join(',') },
    out: { type: 'string', default: OUT_DEFAULT },
    workers: { type: 'string', default: '2' },
  },
})

const count = (flag: 'seeds-headline' | 'seeds' | 'workers') => {
  const value = Number(values[flag])
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`--${flag} takes a whole number from 1 on, not ${values[flag]}`)
}
const names = values.policies.split(',').filter((name): name is PolicyName => Object.hasOwn(policies, name))
if (names.length < values.policies.split(',').length)
  throw new Error(`--policies: some of ${values.policies} do not exist`)
// The most important scenario comes first.
const scenarios = values.scenarios.split(',').toSorted((a, b) => Number(b === HEADLINE) - Number(a === HEADLINE))
const weights = new Map(scenarios.map((name) => [name, weightOf(loadFleetScenario(name))]))
const plan = planOf({ scenarios, policies: names, seeds: count('seeds'), seedsHeadline: count('seeds-headline') })

const stored = new StoredResults(values.out)
const left = plan.filter((task) => stored.get(task) === undefined)
console.error(`${plan.length} runs, ${plan.length - left.length} of them done already; stored in ${values.out}`)
if (stored.others > 0)
  console.error(`${stored.others} runs there are of another version of the program and are not used.`)

const weigh = (tasks: readonly Pick<Task, 'scenario'>[]) =>
  tasks.reduce((sum, { scenario }) => sum + (weights.get(scenario) ?? 0), 0)
const startedAt = performance.now()
const wholeWeight = weigh(left)
let doneWeight = 0
let done = 0
await runAll(left, count('workers'), ({ cpuMs, run }) => {
  const isDrawn = run.seed === DRAWN_SEED
  stored.add({ cpuMs, run: isDrawn ? run : { ...run, seconds: [], moments: [] } })
  done += 1
  doneWeight += weigh([run])
  const elapsedS = (performance.now() - startedAt) / 1000
  const leftMin = ((elapsedS / doneWeight) * (wholeWeight - doneWeight)) / 60
  console.error(
    `${done} of ${left.length}  ${keyOf(run)}  ${(cpuMs / 1000).toFixed(1)} s of CPU  about ${leftMin.toFixed(1)} min left`,
  )
})

const results = plan.map((task) => stored.get(task)).filter((result): result is Result => result !== undefined)
const runs = results.map(({ run }) => run)
const comparison: readonly ComparisonRow[] = scenarios.flatMap((scenario) =>
  names.map((policy) => {
    const of = runs.filter((run) => run.scenario === scenario && run.policy === policy)
    return { scenario, policy, runs: of.length, ...compare(of) }
  }),
)
const drawn = runs.filter(({ seed }) => seed === DRAWN_SEED)
const targets = targetsOf(comparison, runs)
const broken = runs.filter(({ breaches }) => breaches.length > 0)
const cpuMin = results.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 60_000
const text = [
  comparisonTable(comparison),
  targetLines(targets),
  ...broken.map((run) => `BROKEN INVARIANT: ${keyOf(run)}: ${run.breaches[0]}`),
  `${runs.length} runs, ${broken.length} of them with broken invariants; ${cpuMin.toFixed(1)} min of CPU`,
  '',
].join('\n')
writeFileSync(join(values.out, 'table.txt'), text)
writeFileSync(join(values.out, 'page.html'), reportPage({ runs: drawn, comparison }))
console.log(text)
console.error(`${join(values.out, 'table.txt')} and page.html beside it`)
process.exitCode = broken.length === 0 && targets.every(({ isMet }) => isMet) ? 0 : 1
