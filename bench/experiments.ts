// Whether the statistics of experiments keep their promises, on simulated shoppers whose arms are looked at again and again:
// A/A, A/B with a planted effect, the split, and the cost of an assignment. `npm run bench -- experiments`.
import { createAssign } from '../packages/server/src/domain/experiments/assign.ts'
import type { ExperimentOutcome } from '../packages/server/src/domain/experiments/outcomes.ts'
import { chiSquaredTail } from '../packages/server/src/domain/experiments/statistics.ts'
import { repeatedLooks } from '../packages/server/test/fixtures/experiments/repeated-looks.ts'
import type { Looks, OutcomeLooks } from '../packages/server/test/fixtures/experiments/repeated-looks.ts'

const [REPETITIONS, SHOPPERS, LOOKS] = [
  Number(process.env['REPETITIONS'] ?? 200),
  Number(process.env['SHOPPERS'] ?? 10_000),
  Number(process.env['LOOKS'] ?? 20),
]
const SHOWN: readonly ExperimentOutcome[] = ['thumbs-up', 'asked-again', 'handed-over', 'errors', 'cost', 'first-words']
const LIFT = { thumbs: 1.25, cost: 0.85 }
const ASSIGNED = 100_000

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

function shareOf(runs: readonly Looks[], outcome: ExperimentOutcome, isSo: (looks: OutcomeLooks) => boolean): string {
  return `${((100 * runs.filter((run) => isSo(run.outcomes[outcome])).length) / runs.length).toFixed(1)} %`
}

function runsOf(name: string, lift?: typeof LIFT): Looks[] {
  return Array.from({ length: REPETITIONS }, (_, index) =>
    repeatedLooks({ seed: `${name}-${index}`, count: SHOPPERS, looks: LOOKS, ...(lift === undefined ? {} : { lift }) }),
  )
}

console.log(`${REPETITIONS} repetitions, ${SHOPPERS} shoppers, ${LOOKS} looks\n\nA/A: no effect\n`)
const same = runsOf('aa')
row('outcome', 'ever excludes 0', 'covers 0 at the end', 'plain: ever excludes 0', 'plain: covers 0 at the end')
row('---', '---', '---', '---', '---')
for (const outcome of SHOWN) {
  row(
    outcome,
    shareOf(same, outcome, ({ everExcludedZero }) => everExcludedZero),
    shareOf(same, outcome, ({ isCovered }) => isCovered),
    shareOf(same, outcome, ({ plainEverExcludedZero }) => plainEverExcludedZero),
    shareOf(same, outcome, ({ plainIsCovered }) => plainIsCovered),
  )
}

console.log(`\nA/B: thumbs up × ${LIFT.thumbs}, cost × ${LIFT.cost}\n`)
const planted = runsOf('ab', LIFT)
row('outcome', 'found', 'ever excludes the true size', 'covers it at the end', 'plain: covers it at the end')
row('---', '---', '---', '---', '---')
for (const outcome of SHOWN) {
  row(
    outcome,
    shareOf(planted, outcome, ({ isFound }) => isFound),
    shareOf(planted, outcome, ({ everExcludedTruth }) => everExcludedTruth),
    shareOf(planted, outcome, ({ isCovered }) => isCovered),
    shareOf(planted, outcome, ({ plainIsCovered }) => plainIsCovered),
  )
}

const tenths = Array.from({ length: 10 }, () => 0)
for (const { splitP } of [...same, ...planted]) tenths[Math.min(9, Math.floor(splitP * 10))]! += 1
const expected = (2 * REPETITIONS) / 10
const unevenness = tenths.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
console.log(
  `\np-values of the split by tenths: ${tenths.join(' ')} (χ² p = ${chiSquaredTail(unevenness, 9).toFixed(2)})`,
)

const build = () => {
  const common = { from: 0, to: 1, arms: { control: 1, changed: 1 } }
  const experiments = [
    { ...common, name: 'one', layer: 'answers' },
    { ...common, name: 'other', layer: 'prompts' },
  ]
  return createAssign({ key: 'bench', holdoutShare: 0.05, experiments })
}
const [here, there] = [build(), build()]
let different = 0
const from = process.cpuUsage()
for (let unit = 0; unit < ASSIGNED; unit += 1) here(`unit-${unit}`)
const { user, system } = process.cpuUsage(from)
for (let unit = 0; unit < ASSIGNED; unit += 1) {
  if (JSON.stringify(here(`unit-${unit}`)) !== JSON.stringify(there(`unit-${unit}`))) different += 1
}
console.log(`${((user + system) / ASSIGNED).toFixed(1)} µs of CPU to assign a unit in two experiments`)
console.log(`${different} of ${ASSIGNED} units assigned differently by a second node`)
