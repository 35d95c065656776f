// Cost of a turn compared with a bare relay: CPU per answer, time to first word, memory. Each runs in its own process,
// on the same machine, in the same run; the ratio is the result, since absolute figures vary with the machine's load.
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { Usage } from './servers/report-usage.ts'

const ANSWERS = Number(process.env['ANSWERS'] ?? 600)
const CONCURRENT = Number(process.env['CONCURRENT'] ?? 20)
const WARM_UP = Number(process.env['WARM_UP'] ?? 100)
/** `ours` alone is for comparing two trees, run in turn: the relay only adds time. */
const ONLY_OURS = process.env['ONLY_OURS'] === 'true'

interface Measured {
  readonly name: string
  readonly cpuMsPerAnswer: number
  readonly firstWordMs: readonly number[]
  readonly heapBytesPerAnswer: number
  readonly rssBytes: number
}

/** Asks once and reads to the end; returns the time of the first text. */
async function ask(address: string, number: number): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message: `question ${number}` }),
  })
  if (response.body === null || !response.ok) throw new Error(`${response.status}`)
  let first: number | undefined
  let text = ''
  for await (const bytes of response.body) {
    text += Buffer.from(bytes).toString()
    if (first === undefined && text.includes('event: chunk')) first = performance.now() - began
  }
  if (first === undefined || !text.includes('event: done')) throw new Error('an answer without words or end')
  return first
}

async function load(address: string, answers: number): Promise<number[]> {
  const firstWords: number[] = []
  let next = 0
  const worker = async () => {
    while (next < answers) firstWords.push(await ask(address, (next += 1)))
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
  return firstWords
}

async function measure(name: string): Promise<Measured> {
  const { child, address } = await startMeasured(name)
  await load(address, WARM_UP)
  const before = await askMeasured<Usage>(child)
  const firstWordMs = await load(address, ANSWERS)
  const after = await askMeasured<Usage>(child)
  child.disconnect()
  return {
    name,
    cpuMsPerAnswer: (after.cpuMicros - before.cpuMicros) / 1000 / ANSWERS,
    firstWordMs: firstWordMs.sort((a, b) => a - b),
    heapBytesPerAnswer: (after.heapBytes - before.heapBytes) / ANSWERS,
    rssBytes: after.rssBytes,
  }
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

const relay = ONLY_OURS ? undefined : await measure('relay')
const ours = await measure('ours')
for (const { name, cpuMsPerAnswer, firstWordMs, heapBytesPerAnswer, rssBytes } of relay === undefined
  ? [ours]
  : [relay, ours]) {
  console.log(
    `${name.padEnd(6)} cpu ${cpuMsPerAnswer.toFixed(2)} ms/answer · first word p50 ${at(firstWordMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${at(firstWordMs, 0.99).toFixed(1)} ms · heap retained ${(heapBytesPerAnswer / 1024).toFixed(1)} KiB/answer · ` +
      `rss ${(rssBytes / 2 ** 20).toFixed(0)} MiB`,
  )
}
if (relay !== undefined) {
  console.log(
    `ratio  cpu ${(ours.cpuMsPerAnswer / relay.cpuMsPerAnswer).toFixed(1)}× · ` +
      `first word +${(at(ours.firstWordMs, 0.5) - at(relay.firstWordMs, 0.5)).toFixed(1)} ms at p50, ` +
      `+${(at(ours.firstWordMs, 0.99) - at(relay.firstWordMs, 0.99)).toFixed(1)} ms at p99`,
  )
}
