// `npm run bench -- agree`: whether the fleet simulation behaves as real processes do. A blip, a flapping and a brownout of the first
// model are played on three nodes, a Redis, a load balancer and the vendor simulator as processes, and in the simulation with the same
// arrivals, questions, capacity, pace and faults. Prints the figures side by side; exit code 1 where they differ.
import { parseArgs } from 'node:util'
import { defaults } from '../packages/server/src/config/config.ts'
import { PHASES, recoveryRow, rowsOf } from './agree/compare.ts'
import { stormFigures } from './agree/played.ts'
import type { Played, StormFigures } from './agree/played.ts'
import { playReal } from './agree/real.ts'
import type { PlayedReal } from './agree/real.ts'
import { openSimulation } from './agree/simulated.ts'
import { NODES, STORMS } from './agree/storms.ts'

const { values } = parseArgs({
  options: {
    storms: { type: 'string', default: STORMS.map(({ name }) => name).join(',') },
    seeds: { type: 'string', default: '8' },
  },
})

const wanted = values.storms.split(',').map((name) => {
  const storm = STORMS.find((one) => one.name === name)
  if (storm === undefined)
    throw new Error(`--storms has ${name}, which is none of ${STORMS.map((one) => one.name).join(', ')}`)
  return storm
})

/** A shopper who comes later than this says that the machine, not the fleet, is what was measured. */
const LATE_MS_MAX = 200
const SERVED_MS = defaults.answers.firstWordMs
const HEAD = [
  `| | ${PHASES.flatMap((phase) => [`${phase}: simulated`, 'real']).join(' | ')} | shape |`,
  `|---|${'---|'.repeat(PHASES.length * 2 + 1)}`,
].join('\n')

/** A digit for each second; letters from ten on. */
const line = (counts: readonly number[]) => counts.map((count) => count.toString(36)).join('')

function print(simulated: readonly Played[], real: PlayedReal, storm: (typeof STORMS)[number]): number {
  const figures = (played: Played): StormFigures => stormFigures(storm, played, SERVED_MS)
  const [ofReal, ofSimulated] = [figures(real), simulated.map(figures)]
  const rows = [...rowsOf(ofSimulated, ofReal), recoveryRow(ofSimulated, ofReal)]
  const arrivals = Array.from({ length: storm.durationS }, (_, second) =>
    real.visits.filter(({ atMs }) => Math.floor(atMs / 1000) === second),
  )
  const { busyShare, lateMsMax, loadMax } = real.machine
  console.log(
    [
      `\n${storm.name}: ${NODES} nodes, ${real.visits.length} arrivals in ${storm.durationS} s; median (range) of ${simulated.length} seeds beside one run; ` +
        `machine ${Math.round(busyShare * 100)} % busy, load at most ${loadMax.toFixed(1)}, shoppers at most ${Math.round(lateMsMax)} ms late` +
        `${lateMsMax > LATE_MS_MAX ? ': **it had no time for the real processes, repeat this**' : ''}\n`,
      HEAD,
      ...rows.map(({ cells, differsIn, name }) => {
        const verdict = differsIn.length === 0 ? 'same' : `**differs ${differsIn.join(', ')}**`
        return `| ${[name, ...cells, verdict].join(' | ')} |`
      }),
      '\nEach second: arrivals, and how many of them were served in time',
      `    arrivals   ${line(arrivals.map(({ length }) => length))}`,
      `    simulated  ${line(ofSimulated[0]?.servedBySecond ?? [])}`,
      `    real       ${line(ofReal.servedBySecond)}`,
    ].join('\n'),
  )
  return rows.filter(({ differsIn }) => differsIn.length > 0).length
}

const simulation = await openSimulation()
let differing = 0
for (const storm of wanted) {
  const simulated: Played[] = []
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) simulated.push(await simulation.play(storm, seed))
  // The same shoppers come with every seed; the real ones come at their times.
  const arrivalsAtMs = simulated[0]?.visits.map(({ atMs }) => atMs) ?? []
  const real = await playReal({ storm, arrivalsAtMs, capacities: await simulation.capacities(storm) })
  differing += print(simulated, real, storm)
}
console.log(differing === 0 ? '\nAll rows have the same shape.' : `\n${differing} rows differ.`)
process.exit(differing === 0 ? 0 : 1)
