// `npm run cluster`: a cluster of real processes on this machine to chat with, while its nodes and stores are killed and paused by
// commands on stdin. Ctrl-C, `quit` or the end of the terminal ends everything.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { freePort } from '../packages/server/test/fixtures/stores/free-port.ts'
import { BALANCERS, balancerOnPath } from './cluster/balancers/balancer.ts'
import type { BalancerKind } from './cluster/balancers/balancer.ts'
import { isFree } from './cluster/children.ts'
import { startCluster } from './cluster/cluster.ts'
import { HELP, runCommand, table } from './cluster/console.ts'

const PORT_DEFAULT = 8080
const NODES_DEFAULT = 3
const NODES_MAX = 32
const PARENT_POLL_MS = 250

const { values } = parseArgs({
  options: {
    nodes: { type: 'string' },
    port: { type: 'string' },
    balancer: { type: 'string' },
    keep: { type: 'string' },
    durable: { type: 'string', default: 'dynamodb' },
    opensearch: { type: 'string' },
  },
})

function wholeNumber(flag: string, given: string | undefined, bounds: { fallback: number; max: number }): number {
  const value = given === undefined ? bounds.fallback : Number(given)
  if (Number.isInteger(value) && value >= 1 && value <= bounds.max) return value
  console.error(`${flag} takes a whole number from 1 to ${bounds.max}, not ${JSON.stringify(given)}.`)
  process.exit(2)
}

function chosenBalancer(given: string | undefined): BalancerKind {
  const found = given === undefined ? balancerOnPath() : BALANCERS.find((kind) => kind === given)
  if (found !== undefined) return found
  console.error(`--balancer is one of ${BALANCERS.join(', ')}, not ${JSON.stringify(given)}.`)
  process.exit(2)
}

function chosenDurable(given: string): 'redis' | 'dynamodb' {
  if (given === 'redis' || given === 'dynamodb') return given
  console.error(`--durable is dynamodb or redis, not ${JSON.stringify(given)}.`)
  process.exit(2)
}

function chosenSearch(given: string | undefined): { readonly search?: 'stand-in' | URL } {
  if (given === undefined) return { search: 'stand-in' }
  if (given === 'none') return {}
  if (URL.canParse(given) && /^https?:/.test(given)) return { search: new URL(given) }
  console.error(`--opensearch is the address of an OpenSearch, or none, not ${JSON.stringify(given)}.`)
  process.exit(2)
}

async function chosenPort(given: string | undefined): Promise<number> {
  if (given !== undefined) return wholeNumber('--port', given, { fallback: PORT_DEFAULT, max: 65_535 })
  return (await isFree(PORT_DEFAULT)) ? PORT_DEFAULT : freePort()
}

const ended = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.resolve())
// npm and the script between die by a signal without passing it on.
const parent = process.ppid
setInterval(() => process.ppid !== parent && ended.resolve(), PARENT_POLL_MS).unref()

const starting = startCluster({
  nodes: wholeNumber('--nodes', values.nodes, { fallback: NODES_DEFAULT, max: NODES_MAX }),
  balancer: chosenBalancer(values.balancer),
  port: await chosenPort(values.port),
  ...(values.keep === undefined ? {} : { keep: values.keep }),
  answers: 'plain',
  durable: chosenDurable(values.durable),
  ...chosenSearch(values.opensearch),
  onStep: (what) => console.log(`Starting ${what} …`),
})
// A signal during the start ends this process, and the reaper ends what has been started.
const cluster = await Promise.race([starting, ended.promise])
if (cluster === undefined) process.exit(130)

console.log(`\nOpen ${cluster.address}\n\n${await table(cluster)}\n`)
console.log(`Data: ${cluster.folder}${values.keep === undefined ? ' (removed at the end)' : ''}`)
console.log(
  `Admin token: ${cluster.adminToken}\nFaults of the models: ${cluster.models.address}/_sim/faults (docs/simulator.md)\n`,
)
console.log(`Commands:\n${HELP}`)

const input = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY })
input.on('SIGINT', () => ended.resolve())
input.on('close', () => process.stdin.isTTY && ended.resolve())
input.on('line', (line) => {
  void runCommand(cluster, line, (said) => console.log(said))
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    .then((said) => (said === undefined ? ended.resolve() : said !== '' && console.log(said)))
})
await ended.promise
await cluster.close()
process.exit()
