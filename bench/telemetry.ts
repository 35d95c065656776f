// CPU of a turn with all telemetry against none: log lines, spans with their events, tail sampling, and the export of traces,
// metrics and logs by OTLP to a collector in another process. Two servers are measured in turn, and which one is first alternates;
// the median of the pairs is the result, since single figures vary with the machine's load.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { MeasuredProcess } from './servers/measured-process.ts'
import type { Usage } from './servers/report-usage.ts'

const PAIRS = Number(process.env['PAIRS'] ?? 10)
const ANSWERS = Number(process.env['ANSWERS'] ?? 200)
const CONCURRENT = Number(process.env['CONCURRENT'] ?? 20)
const WARM_UP = Number(process.env['WARM_UP'] ?? 300)
/** The share of traces that is exported; the default is the server's. */
const SHARE = process.env['SHARE']

/** Log lines go nowhere, but are written. */
async function start(env: Readonly<Record<string, string>>): Promise<MeasuredProcess> {
  const path = join(import.meta.dirname, 'servers/observed.ts')
  const child = fork(path, {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  })
  const [{ address }] = (await once(child, 'message')) as [{ address: string }]
  return { child, address }
}

async function ask(address: string, number: number): Promise<void> {
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message: `question ${number}` }),
  })
  if (!(await response.text()).includes('event: done')) throw new Error('an answer without an end')
}

let asked = 0

async function load(address: string, answers: number): Promise<void> {
  let left = answers
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await ask(address, (asked += 1))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
}

/** Milliseconds of CPU for an answer. */
async function measure({ address, child }: MeasuredProcess): Promise<number> {
  const before = await cpuOf(child)
  await load(address, ANSWERS)
  return ((await cpuOf(child)) - before) / 1000 / ANSWERS
}

const cpuOf = async (child: ChildProcess) => (await askMeasured<Usage>(child)).cpuMicros

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

const collector = await startMeasured('dummy')
const off = await start({ MANGA_SERVER__LOGLEVEL: 'silent' })
const on = await start({
  MANGA_SERVER__LOGLEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
  ...(SHARE === undefined ? {} : { MANGA_TELEMETRY__TRACES__SHARE: SHARE }),
})
for (const server of [off, on]) await load(server.address, WARM_UP)
const pairs: { readonly without: number; readonly with: number }[] = []
for (let pair = 0; pair < PAIRS; pair += 1) {
  const isOffFirst = pair % 2 === 0
  const first = await measure(isOffFirst ? off : on)
  const second = await measure(isOffFirst ? on : off)
  const found = isOffFirst ? { without: first, with: second } : { without: second, with: first }
  pairs.push(found)
  console.log(`off ${found.without.toFixed(2)} ms · on ${found.with.toFixed(2)} ms of CPU an answer`)
}
const rise = median(pairs.map((pair) => (pair.with / pair.without - 1) * 100))
const of = (which: 'with' | 'without') => pairs.map((pair) => pair[which])
const shown = (pick: (values: readonly number[]) => number) =>
  `off ${pick(of('without')).toFixed(2)} ms · on ${pick(of('with')).toFixed(2)} ms`
console.log(`median of ${PAIRS} pairs: ${shown(median)} · ${rise.toFixed(1)} % more (aim: under 8 %)`)
// Other work on the machine only ever adds to a figure.
console.log(`lowest: ${shown((values) => Math.min(...values))}`)
for (const { child } of [off, on, collector]) child.disconnect()
