// `npm run swarm -- --seeds 10000`: runs that many small fleets under random faults, reports progress, and exits with 1
// if any of them broke an invariant. Failing plans are shrunk, printed with their events, and written to files for
// regression tests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PLANTED_BUGS } from '../src/swarm/planted.ts'
import { runSwarm } from '../src/swarm/swarm.ts'
import type { SwarmFailure } from '../src/swarm/swarm.ts'
import { readCatalogue, readFaq } from '@mangaassist/server/wiring/bundled-data'

const root = resolve(import.meta.dirname, '../../..')
const PROGRESS_EVERY_MS = 5000
const EVENTS_SHOWN = 40

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    /** One seed in this many is run twice and compared. */
    twice: { type: 'string', default: '50' },
    /** Folder for failing plans, as JSON. */
    out: { type: 'string', default: join(root, 'data/local/swarm') },
    planted: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
    'stop-at-first': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const whole = (name: 'seeds' | 'from' | 'workers' | 'twice') => {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name} is a whole number`)
  return value
}
const [seeds, from] = [whole('seeds'), whole('from')]
const planted = PLANTED_BUGS.find((bug) => bug === values.planted)
if (values.planted !== undefined && planted === undefined)
  throw new RangeError(`--planted is ${PLANTED_BUGS.join(', ')}`)

const beganAt = performance.now()
let reportedAt = 0
let failing = 0
const { products } = await readCatalogue()
const report = await runSwarm({
  from,
  to: from + seeds - 1,
  workers: whole('workers'),
  twiceEvery: whole('twice'),
  products: products.slice(0, 32),
  faq: await readFaq(),
  shrinks: !values['no-shrink'],
  isEnough: () => values['stop-at-first'],
  ...(planted === undefined ? {} : { planted }),
  onSeed({ failure }, count) {
    if (failure !== undefined) {
      failing += 1
      save(failure)
    }
    const now = performance.now()
    if (values.json || (now - reportedAt < PROGRESS_EVERY_MS && count !== seeds)) return
    reportedAt = now
    const perSecond = (count * 1000) / (now - beganAt)
    console.error(`${count} of ${seeds} seeds, ${failing} failing, ${perSecond.toFixed(1)} a second`)
  },
})
const seconds = (performance.now() - beganAt) / 1000
const never = [...report.reached].flatMap(([state, count]) => (count === 0 ? [state] : []))
if (values.json) {
  console.log(JSON.stringify({ ...report, reached: Object.fromEntries(report.reached), seconds }))
} else {
  for (const [state, count] of report.reached) console.log(`${String(count).padStart(7)}  ${state}`)
  console.log(`never reached: ${never.length === 0 ? 'nothing' : never.join(', ')}`)
  const hours = (report.virtualMs / 3_600_000).toFixed(1)
  console.log(`${report.seeds} seeds, ${hours} h of virtual time, ${report.events} events in ${seconds.toFixed(0)} s:`)
  console.log(
    `${(report.seeds / seconds).toFixed(1)} a second, at rest ${report.restMsMax / 1000} s after the last arrival at most,`,
  )
  console.log(
    report.failures.length === 0 ? 'no failure' : `failing: ${report.failures.map(({ seed }) => seed).join(' ')}`,
  )
}
process.exitCode = report.failures.length === 0 ? 0 : 1

function save(failure: SwarmFailure): void {
  mkdirSync(values.out, { recursive: true })
  const path = join(values.out, `${failure.seed}.json`)
  writeFileSync(path, `${JSON.stringify(failure, undefined, 2)}\n`)
  if (values.json) return
  console.log(`seed ${failure.seed} (${path}):`)
  for (const breach of failure.breaches.slice(0, 5)) console.log(`  ${breach}`)
  console.log(
    failure.history
      .slice(-EVENTS_SHOWN)
      .map((line) => `    ${line}`)
      .join('\n'),
  )
}
