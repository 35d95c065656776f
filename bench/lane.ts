// How a lane gets through trouble, ours against the `reference` policy, in virtual time: answers and attempts for each arrival
// while the fault lasts, and how soon all is well after it. Medians over seeds; figures in README.md.
import { adaptivePolicy } from '../packages/server/src/domain/lane/adaptive-policy.ts'
import { referencePolicy } from '../packages/server/src/domain/lane/reference-policy.ts'
import { laneDefaults } from '../packages/server/src/domain/lane/settings.ts'
import { controllerDelays, pressureDelays } from '../packages/server/src/domain/retry/delays.ts'
import { WELL } from './lane/provider.ts'
import { simulate } from './lane/simulate.ts'
import type { Contender, Result, Scenario } from './lane/simulate.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 9)

const scenarios: readonly Scenario[] = [
  { name: 'outage 30 s', forMs: 30_000, health: { ...WELL, faultShare: 1 } },
  { name: 'blip 2 s', forMs: 2000, health: { ...WELL, faultShare: 1 } },
  { name: 'brownout to half', forMs: 60_000, health: { ...WELL, slots: WELL.slots / 2 } },
  { name: 'throttled to half', forMs: 60_000, health: { ...WELL, perSecond: 62.5 } },
  { name: 'half of calls 5xx', forMs: 60_000, health: { ...WELL, faultShare: 0.5 } },
]

const byRate = { ...laneDefaults, circuit: { ...laneDefaults.circuit, failures: Infinity } }
const contenders: readonly Contender[] = [
  { name: 'reference', policy: referencePolicy(laneDefaults), delays: pressureDelays },
  { name: 'reference, rate alone', policy: referencePolicy(byRate), delays: pressureDelays },
  { name: 'ours', policy: adaptivePolicy(laneDefaults), delays: () => controllerDelays('full') },
]

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const worst = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0)

function row({ name }: Contender, results: readonly Result[]): string {
  const of = (field: keyof Result) => results.map((result) => result[field])
  const seconds = (ms: number) => `${ms / 1000}`.padStart(3)
  return [
    `  ${name.padEnd(24)}`,
    `goodput ${median(of('goodput')).toFixed(2)}`,
    `attempts ${median(of('attempts')).toFixed(2)}`,
    `recovery ${seconds(median(of('recoveryMs')))} s (worst ${seconds(worst(of('recoveryMs')))})`,
  ].join('   ')
}

for (const scenario of scenarios) {
  console.log(`\n${scenario.name}`)
  for (const contender of contenders) {
    const results: Result[] = []
    for (let seed = 1; seed <= SEEDS; seed += 1) results.push(await simulate(contender, scenario, seed))
    console.log(row(contender, results))
  }
}
