// Memory of an idle connection: thousands of silent WebSockets at our server and at a bare `ws` server, each in its own
// process in the same run. `CONNECTIONS` and `SETTLE_MS` change the load. Each is also run with a small young
// generation: by default its size comes from the burst of openings, not from the connections.
import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { Usage } from './servers/report-usage.ts'

const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 10_000)
/** Several heartbeats long, so that each connection has everything it needs. */
const SETTLE_MS = Number(process.env['SETTLE_MS'] ?? 12_000)
const WARM_UP = 200
const FILES_SPARE = 500

interface Measured {
  readonly before: Usage
  readonly all: Usage
  readonly idleCpuShare: number
}

function checkFileLimit(): void {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  if (limit === 'unlimited' || Number(limit) >= CONNECTIONS + FILES_SPARE) return
  const needed = CONNECTIONS + FILES_SPARE
  throw new Error(`${CONNECTIONS} connections need more open files than ${limit}: ulimit -n ${needed}`)
}

async function openAt(address: string, count: number): Promise<ChildProcess> {
  return (await startMeasured('idle-clients', { ADDRESS: address, COUNT: String(count) })).child
}

async function measure(name: string, flags: readonly string[]): Promise<Measured> {
  const env = { MANGA_SERVER__CONNECTIONSMAX: String(CONNECTIONS + WARM_UP) }
  const { child: server, address } = await startMeasured(name, env, flags)
  const warm = await openAt(address, WARM_UP)
  warm.disconnect()
  await once(warm, 'exit')
  await sleep(1000)
  const before = await askMeasured<Usage>(server)
  const clients = [await openAt(address, CONNECTIONS / 2), await openAt(address, CONNECTIONS / 2)]
  await sleep(SETTLE_MS)
  const settled = await askMeasured<Usage>(server)
  await sleep(SETTLE_MS)
  const all = await askMeasured<Usage>(server)
  for (const child of [...clients, server]) child.disconnect()
  return { before, all, idleCpuShare: (all.cpuMicros - settled.cpuMicros) / 1000 / SETTLE_MS }
}

const each = (bytes: number): string => `${(bytes / 1024 / CONNECTIONS).toFixed(1)} KiB`
const SMALL_YOUNG_SPACE = ['--max-semi-space-size=1', '--min-semi-space-size=1']

checkFileLimit()
for (const [note, flags] of [
  ['as it is run', []],
  ['little space for new objects', SMALL_YOUNG_SPACE],
] as const) {
  console.log(`${CONNECTIONS} connections, ${note}:`)
  for (const name of ['bare-sockets', 'ours']) {
    const { all, before, idleCpuShare } = await measure(name, flags)
    console.log(
      `  ${name.padEnd(12)} each: heap ${each(all.heapBytes - before.heapBytes)}, ` +
        `resident ${each(all.rssBytes - before.rssBytes)} · rss ${(all.rssBytes / 2 ** 20).toFixed(0)} MiB · ` +
        `cpu while idle ${(idleCpuShare * 100).toFixed(1)} %`,
    )
  }
}
