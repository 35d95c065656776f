// An outage of the primary model over real sockets: the whole server, the simulated vendor, one question every four
// seconds during a minute of refusals and some time after it. Prints which tier answered, how often the primary was
// called, and when it was in use again.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { serve } from '../packages/server/src/main.ts'
import { startSimulator } from '../packages/simulation/src/vendor/start-simulator.ts'

const OUTAGE_MS = Number(process.env['OUTAGE_MS'] ?? 60_000)
const EVERY_MS = 4000
const WATCHED_MS = 20_000
const PRIMARY = 'primary-1'

const clock = systemClock()
const simulator = await startSimulator({ clock, pace: { firstTokenMs: 300, tokensPerSecond: 80 } })
const model = (name: string, id: string) => ({
  [`MANGA_MODELS__${name}__PROVIDER`]: 'openai-compatible',
  [`MANGA_MODELS__${name}__ID`]: id,
  [`MANGA_MODELS__${name}__BASEURL`]: `${simulator.url}/v1`,
  [`MANGA_MODELS__${name}__PRICE`]: '1,2',
})
const serving = await serve({
  env: {
    PORT: '0',
    DATA_DIR: await mkdtemp(join(tmpdir(), 'mangaassist-bench-')),
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_PROBE__EVERYMS: '0',
    ...model('PRIMARY', PRIMARY),
    ...model('ECONOMY', 'economy-1'),
  },
  workspaceRoot: resolve(import.meta.dirname, '..'),
  print: () => {},
})

interface Envelope {
  readonly data: { readonly finishReason: string }
  readonly metadata: { readonly tier: string; readonly latencyMs: number }
}

/** Each question comes from another guest and is unique. */
async function ask(number: number) {
  const from = clock.now()
  const response = await fetch(`${serving.address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: `ベルセルクはどう？ ${number}` }),
  })
  const { data, metadata } = (await response.json()) as Envelope
  return { from, status: response.status, finishReason: data.finishReason, tier: metadata.tier, ms: metadata.latencyMs }
}

await ask(0)
simulator.faults({ fault: 'error', error: 'unavailable', model: PRIMARY })
const from = clock.now()
const healed = setTimeout(OUTAGE_MS).then(() => simulator.heal())
const asked: ReturnType<typeof ask>[] = []
for (let number = 1; clock.now() < from + OUTAGE_MS + WATCHED_MS; number += 1) {
  asked.push(ask(number))
  await setTimeout(EVERY_MS)
}
await healed
const answers = await Promise.all(asked)
const during = answers.filter((answer) => answer.from < from + OUTAGE_MS)
const isDuring = (at: number) => at >= from && at < from + OUTAGE_MS
const calls = simulator.attempts().filter((attempt) => attempt.model === PRIMARY && isDuring(attempt.at))
const back = answers.find((answer) => answer.from >= from + OUTAGE_MS && answer.tier === 'primary')
const tiers = Object.entries(Object.groupBy(during, ({ tier }) => tier)).map(([tier, all]) => `${all?.length} ${tier}`)
const slowest = Math.max(...during.map(({ ms }) => ms))
console.log(`${during.length} questions in ${OUTAGE_MS / 1000} s of outage: ${tiers.join(', ')}; slowest ${slowest} ms`)
console.log(`primary asked ${calls.length} times meanwhile, probes included`)
console.log(back === undefined ? 'primary not back' : `primary in use ${back.from - from - OUTAGE_MS} ms after healing`)
await serving.close()
await simulator.close()
