// The commands of a running local cluster, one a line, and the table of its processes. A command that fails says why.
import type { Cluster, ClusterNode } from './cluster.ts'
import type { Service } from './service.ts'

export const HELP = `  kill 2            end node 2 at once (SIGKILL): its answers are taken over
  stop 2            drain node 2 (SIGTERM): its answers end first
  pause 2, resume 2 stop node 2 in place (SIGSTOP), as a machine that hangs; continue it
  start 2           start node 2 again, with its data
  add               add a node
  redis pause 5     stop Redis in place for 5 seconds
  redis kill        end Redis at once
  redis restart     start it again with its data
  redis empty       start it again without its data
  dynamo pause 5    the same with the emulated DynamoDB; also kill, restart
  search pause 5    the same with the stand-in for OpenSearch, which starts without its data
  status            the table of processes
  help, quit`

const PAUSE_S_DEFAULT = 5
const PAUSE_S_MAX = 600
const READY_MS_MAX = 1000

/** Prints a line before a command is over. */
type Say = (line: string) => void

/** What a command did, as a line; undefined ends the cluster. */
export async function runCommand(cluster: Cluster, line: string, say: Say): Promise<string | undefined> {
  const [verb = '', ...rest] = line.trim().toLowerCase().split(/\s+/)
  switch (verb) {
    case '':
      return ''
    case 'help':
      return HELP
    case 'quit':
    case 'exit':
      return undefined
    case 'status':
      return table(cluster)
    case 'add':
      return `${(await cluster.addNode()).name} is running`
    case 'redis':
      return redisCommand(cluster, rest, say)
    case 'dynamo':
      return storeCommand({ service: cluster.dynamo, verb, restart: () => cluster.dynamo?.restart() }, rest, say)
    case 'search':
      return storeCommand({ service: cluster.search, verb, restart: () => cluster.restartSearch() }, rest, say)
    case 'kill':
    case 'stop':
    case 'pause':
    case 'resume':
    case 'start':
      return nodeCommand(nodeNamed(cluster, rest[0]), verb)
    default:
      return `There is no command ${JSON.stringify(verb)}.\n${HELP}`
  }
}

function nodeNamed(cluster: Cluster, given: string | undefined): ClusterNode {
  const node = cluster.nodes.find(({ number }) => String(number) === given)
  if (node !== undefined) return node
  throw new Error(`Which node? One of ${cluster.nodes.map(({ number }) => number).join(', ')}.`)
}

async function nodeCommand(
  { name, service }: ClusterNode,
  verb: 'kill' | 'stop' | 'pause' | 'resume' | 'start',
): Promise<string> {
  if (verb !== 'start' && service.state() === 'ended') return `${name} does not run: start ${name.split(' ')[1]}`
  await service[verb]()
  return `${name} ${{ kill: 'was killed', stop: 'has drained and ended', pause: 'is paused', resume: 'continues', start: 'is running' }[verb]}`
}

async function redisCommand({ redis }: Cluster, [action, seconds]: readonly string[], say: Say): Promise<string> {
  switch (action) {
    case 'pause':
      return pauseStore(redis.service, seconds, say)
    case 'kill':
      await redis.service.kill()
      return 'Redis was killed: redis restart'
    case 'restart':
      await redis.service.restart()
      return 'Redis is running with its data'
    case 'empty':
      await redis.empty()
      return 'Redis is running without its data'
    default:
      return 'redis pause [seconds], kill, restart or empty'
  }
}

interface StoreOfCluster {
  /** Absent where the nodes do not use it. */
  readonly service: Service | undefined
  readonly verb: string
  readonly restart: () => Promise<void> | undefined
}

async function storeCommand(
  { restart, service, verb }: StoreOfCluster,
  [action, seconds]: readonly string[],
  say: Say,
): Promise<string> {
  if (service === undefined) return `The nodes do not use it here: ${verb} has no process`
  switch (action) {
    case 'pause':
      return pauseStore(service, seconds, say)
    case 'kill':
      await service.kill()
      return `${service.name} was killed: ${verb} restart`
    case 'restart':
      await restart()
      return `${service.name} is running`
    default:
      return `${verb} pause [seconds], kill or restart`
  }
}

async function pauseStore(service: Service, given: string | undefined, say: Say): Promise<string> {
  const s = pauseSeconds(given)
  say(`${service.name} is paused for ${s} s`)
  await service.pauseFor(s * 1000)
  return `${service.name} continues`
}

function pauseSeconds(given: string | undefined): number {
  const seconds = given === undefined ? PAUSE_S_DEFAULT : Number(given)
  if (seconds > 0 && seconds <= PAUSE_S_MAX) return seconds
  throw new Error(`A pause takes between 0 and ${PAUSE_S_MAX} seconds, not ${given}.`)
}

export async function table(cluster: Cluster): Promise<string> {
  const shown = await Promise.all(cluster.services().map(row))
  const rows = [['process', 'pid', 'address', 'state', 'log'], ...shown]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length))) ?? []
  return rows
    .map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

async function row(service: Service): Promise<string[]> {
  const isNode = service.name.startsWith('node')
  const state = isNode && service.state() === 'running' ? await readiness(service.address) : service.state()
  return [service.name, String(service.pid ?? '–'), service.address, state, service.log]
}

/** The status that a node itself reports. */
async function readiness(address: string): Promise<string> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) })
    return ((await response.json()) as { status: string }).status
  } catch {
    return 'no answer'
  }
}
