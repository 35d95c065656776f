// `npm run soak`: a real server, a real provider over sockets (the simulator), and hundreds of shoppers who read, lose
// their connection, resume, read slowly and press stop, while the server is killed every few seconds and restarted on
// the same data. Fails unless every answer was complete: no gap, no repeated word, every hash right, no model call left
// running. MINUTES (2), SHOPPERS (200), KILL_EVERY_S (6; 0: never), SEED.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { startSimulator } from '../packages/simulation/src/vendor/start-simulator.ts'
import { seededFloats } from '../packages/server/src/lib/collections/seeded-floats.ts'
import { crowd } from './servers/crowd.ts'
import { soakShopper } from './servers/soak-shopper.ts'
import type { Seen } from './servers/soak-shopper.ts'

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const minutes = setting('MINUTES', 2)
const shoppers = setting('SHOPPERS', 200)
const killEveryS = setting('KILL_EVERY_S', 6)
const float = seededFloats(String(setting('SEED', 1)))
const root = resolve(import.meta.dirname, '..')
const answer = 'こちらの作品はいかがでしょうか。家族👨‍👩‍👧‍👦の話で、泣けます😭。A quiet story about a long road. '.repeat(3)

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-soak-'))
const port = await freePort()
const pace = { firstTokenMs: 200, tokensPerSecond: 50 }
await using provider = await startSimulator({ clock: systemClock(), seed: 1, identicalText: answer, pace })

async function startServer(): Promise<ChildProcess> {
  const child = fork(join(root, 'packages/server/bin/mangaassist.js'), ['serve'], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      ...crowd,
      PORT: String(port),
      DATA_DIR: dataDir,
      MANGA_SERVER__LOGLEVEL: 'error',
      MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
      MANGA_MODELS__PRIMARY__ID: 'soak',
      MANGA_MODELS__PRIMARY__BASEURL: `${provider.url}/v1`,
      MANGA_MODELS__PRIMARY__PRICE: '[3, 15]',
      MANGA_MODELS__PRIMARY__CONNECTIONSMAX: '5000',
      MANGA_LADDER: '["primary"]',
      MANGA_PROBE__EVERYMS: '0',
      MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1000',
      MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '100000000',
      MANGA_TIERS__FREE__INPUTTOKENSPERDAY: '100000000',
      MANGA_TIERS__FREE__MICROUSDPERDAY: '1000000000',
      MANGA_TOKENS__INPUTPERSESSIONMAX: '100000000',
      MANGA_TOKENS__OUTPUTPERSESSIONMAX: '100000000',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  while (!output.includes('ready')) output += String(((await once(child.stdout ?? child, 'data')) as [Buffer])[0])
  child.stdout?.resume()
  return child
}

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

let server = await startServer()
const endsAt = Date.now() + minutes * 60_000
const seen: Seen = {
  answers: 0,
  stopped: 0,
  interrupted: 0,
  resumed: 0,
  slow: 0,
  refused: 0,
  breaches: [],
}
let kills = 0
const shopping = Array.from({ length: shoppers }, (_, number) =>
  soakShopper({ url: `ws://127.0.0.1:${port}/ws`, number, float, endsAt, expected: answer, seen }),
)

async function killAndRestart(): Promise<void> {
  while (killEveryS > 0 && Date.now() + 15_000 < endsAt) {
    await sleep(killEveryS * (500 + float() * 1000))
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
    kills += 1
    server = await startServer()
  }
}

async function report(): Promise<void> {
  while (Date.now() < endsAt) {
    await sleep(15_000)
    const heap = /mangaassist_process_heap_used_bytes (\d+)/.exec(await metrics().catch(() => ''))?.[1] ?? '?'
    const { breaches, ...counts } = seen
    console.log(
      JSON.stringify({ ...counts, breaches: breaches.length, kills, heapMiB: Math.round(Number(heap) / 2 ** 20) }),
    )
  }
}

await Promise.all([...shopping, killAndRestart(), report()])
// Calls that still run have no reader now: they must end soon.
await sleep(5000)
const running = provider.attempts().filter(({ outcome }) => outcome === 'running').length
if (running > 0) seen.breaches.push(`${running} model calls are left over`)
const exited = once(server, 'exit')
server.kill('SIGTERM')
await exited
await rm(dataDir, { recursive: true, force: true })
const { breaches, ...counts } = seen
console.log(JSON.stringify({ ...counts, kills, modelCalls: provider.attempts().length }))
for (const breach of breaches.slice(0, 20)) console.error(breach)
if (breaches.length > 0 || seen.answers === 0) process.exit(1)
console.log('no gap, no word twice, every hash right, no model call left over')
