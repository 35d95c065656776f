// What the prewarm of a release day gains and costs, in virtual time: the release hour by every policy, the same seeds with
// it and without it.
import { parseArgs } from 'node:util'
import { openSimulation } from '../src/commands/fleet/open-simulation.ts'
import type { FleetRun, PolicyName } from '../src/fleet/fleet-run.ts'
import { compare } from '../src/fleet/figures.ts'
import { policies } from '../src/policies/policies.ts'
import { loadFleetScenario } from '../src/scenario/bundled.ts'
import type { Visit } from '../src/world/person.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    policies: { type: 'string', default: Object.keys(policies).join(',') },
  },
})
const FIRST_SEED = 1001
const MODELS: ReadonlySet<string | undefined> = new Set(['primary', 'economy', 'cached-fresh'])

const simulate = await openSimulation()
const scenario = loadFleetScenario('release-hour')
const { patienceMs } = scenario.people

interface Measured {
  readonly runs: readonly FleetRun[]
  /** The visits of all seeds. */
  readonly aboutNewVolume: readonly Visit[]
}

async function measure(policy: PolicyName, enabled: boolean): Promise<Measured> {
  const runs: FleetRun[] = []
  const aboutNewVolume: Visit[] = []
  const settings = { ...scenario.settings, 'store.prewarm.enabled': enabled }
  const onVisit = (visit: Visit) => void (visit.isAboutNewVolume && aboutNewVolume.push(visit))
  for (let index = 0; index < Number(values.seeds); index += 1)
    runs.push(await simulate({ scenario: { ...scenario, settings }, policy, seed: FIRST_SEED + index, onVisit }))
  const broken = runs.flatMap(({ breaches }) => breaches)
  if (broken.length > 0) throw new Error(`a broken invariant: ${broken[0]}`)
  return { runs, aboutNewVolume }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

function firstWord(visits: readonly Visit[], share: number): string {
  const waits = visits.flatMap(({ atMs, firstWordMs }) => (firstWordMs === undefined ? [] : [firstWordMs - atMs]))
  return seconds(waits.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? 0)
}

function served(visits: readonly Visit[]): string {
  const good = visits.filter(
    ({ atMs, firstTier, firstWordMs = Infinity }) => MODELS.has(firstTier) && firstWordMs - atMs <= patienceMs,
  )
  return percent(good.length / Math.max(1, visits.length))
}

/** The share that got a fresh answer of the cache: each saves a call. */
function fromCache(visits: readonly Visit[]): string {
  return percent(visits.filter(({ firstTier }) => firstTier === 'cached-fresh').length / Math.max(1, visits.length))
}

const rows: string[] = []
for (const policy of values.policies.split(',') as PolicyName[]) {
  for (const enabled of [false, true]) {
    const { runs, aboutNewVolume } = await measure(policy, enabled)
    const { attempts, failedAttempts, firstWordMs, goodput, microUsd } = compare(runs).median
    const cells = [
      policy,
      enabled ? 'on' : 'off',
      firstWord(aboutNewVolume, 0.5),
      firstWord(aboutNewVolume, 0.95),
      served(aboutNewVolume),
      fromCache(aboutNewVolume),
      seconds(firstWordMs.p50),
      seconds(firstWordMs.p95),
      percent(goodput),
      attempts,
      failedAttempts,
      (microUsd / 1e6).toFixed(3),
    ]
    rows.push(`| ${cells.join(' | ')} |`)
    console.error(rows.at(-1))
  }
}
const head = [
  'policy',
  'prewarm',
  'new volume: p50',
  'p95',
  'served',
  'from the cache',
  'all: p50',
  'p95',
  'served',
  'calls',
  'failed calls',
  'USD',
]
console.log([`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n'))
