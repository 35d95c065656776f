// What one turn uses of a node, of Redis and of DynamoDB: shoppers ask one node of a local cluster, and the counters of each part are
// read before and after.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sleep } from '../chaos/reader.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { TurnUse } from './plan.ts'

const QUESTIONS = [
  '泣ける漫画を教えて',
  'もっと短いものはありますか？',
  'Berserk は全巻でいくら？',
  '送料はいくらですか？',
  'Something funny like Spy x Family, please',
  '子供向けのおすすめは？',
]
/** What is written behind a turn is written by then. */
const SETTLE_MS = 3000

export interface MeasureOptions {
  readonly turns: number
  readonly concurrent: number
  readonly turnsPerConversation: number
}

interface Counters {
  readonly nodeCpuMs: number
  readonly redisCpuMs: number
  readonly redisCalls: number
  readonly redisBytes: number
  readonly units: ReadonlyMap<string, number>
}

export async function measureTurn(cluster: Cluster, options: MeasureOptions): Promise<TurnUse> {
  await converse(cluster, { ...options, turns: options.turns / 4 })
  const before = await countersOf(cluster)
  const storedBefore = itemBytes(cluster)
  await converse(cluster, options)
  await sleep(SETTLE_MS)
  const after = await countersOf(cluster)
  const stored = itemBytes(cluster)
  const perTurn = (of: (counters: Counters) => number) => (of(after) - of(before)) / options.turns
  const unitsOf = (kind: string, table: string, what: 'sum' | 'count') =>
    perTurn(({ units }) => units.get(`${kind} ${table} ${what}`) ?? 0)
  const tables = new Set([...after.units.keys()].map((key) => key.split(' ')[1] ?? ''))
  return {
    nodeCpuMs: perTurn(({ nodeCpuMs }) => nodeCpuMs),
    redisCpuMs: perTurn(({ redisCpuMs }) => redisCpuMs),
    redisCalls: perTurn(({ redisCalls }) => redisCalls),
    redisBytes: perTurn(({ redisBytes }) => redisBytes),
    dynamodb: Object.fromEntries(
      [...tables].sort().map((table) => [
        table,
        {
          reads: unitsOf('read', table, 'sum'),
          writes: unitsOf('write', table, 'sum'),
          calls: unitsOf('read', table, 'count') + unitsOf('write', table, 'count'),
        },
      ]),
    ),
    storedBytes: {
      sessions: (stored.sessions - storedBefore.sessions) / options.turns,
      ledger: (stored.ledger - storedBefore.ledger) / options.turns,
    },
  }
}

/** Conversations of new guests, several at once, until as many turns have ended. */
async function converse(cluster: Cluster, { concurrent, turns, turnsPerConversation }: MeasureOptions): Promise<void> {
  let left = Math.round(turns)
  const shopper = async () => {
    while (left > 0) {
      let cookie: string | undefined
      let sessionId: string | undefined
      for (let turn = 0; turn < turnsPerConversation && left > 0; turn += 1) {
        left -= 1
        const response = await fetch(`${cluster.nodes[0]?.service.address}/api/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
          body: JSON.stringify({
            message: `${QUESTIONS[turn % QUESTIONS.length]} ${left}`,
            ...(sessionId === undefined ? {} : { sessionId }),
          }),
        })
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
        cookie ??= response.headers.getSetCookie()[0]?.split(';')[0]
        sessionId = ((await response.json()) as { data: { sessionId: string } }).data.sessionId
      }
    }
  }
  await Promise.all(Array.from({ length: concurrent }, shopper))
}

async function countersOf(cluster: Cluster): Promise<Counters> {
  const [node] = cluster.nodes
  const response = await fetch(`${node?.service.address}/metrics`, {
    headers: { authorization: `Bearer ${cluster.adminToken}` },
  })
  const units = new Map<string, number>()
  for (const [, what, labels, value] of (await response.text()).matchAll(
    /^mangaassist_dynamodb_units_(sum|count)\{([^}]*)\} (\S+)$/gm,
  )) {
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels ?? '')?.[1]
    units.set(`${label('kind')} ${label('table')} ${what}`, Number(value))
  }
  const info = redisInfo(cluster)
  const figure = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1] ?? 0)
  return {
    nodeCpuMs: cpuMsOf(node?.service.pid ?? 0),
    redisCpuMs: (figure('used_cpu_user') + figure('used_cpu_sys')) * 1000,
    redisCalls: figure('total_commands_processed'),
    redisBytes: figure('used_memory_dataset'),
    units,
  }
}

function redisInfo({ redis }: Cluster): string {
  const args = ['-p', String(redis.port), 'INFO', 'everything']
  return execFileSync(process.env['REDIS_CLI'] ?? 'redis-cli', args, { encoding: 'utf8' })
}

/** User and system time of a process, from the kernel. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks * 10
}

/** What AWS would store and bill: items, index entries, and 100 bytes for each. */
const ENTRY_BYTES = 100

function itemBytes({ folder }: Cluster): TurnUse['storedBytes'] {
  const database = new DatabaseSync(join(folder, 'dynamodb.sqlite'), { readOnly: true })
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
  const bytesOf = (table: string) =>
    names
      .filter(({ name }) => name === table || name.startsWith(`${table}::gsi::`))
      .map(({ name }) => {
        const size = name === table ? 'item_size' : 'length(item_json)'
        const sql = `SELECT coalesce(sum(${size} + ${ENTRY_BYTES}), 0) AS bytes FROM "${name}"`
        return (database.prepare(sql).get() as { bytes: number }).bytes
      })
      .reduce((sum, bytes) => sum + bytes, 0)
  const stored = { sessions: bytesOf('mangaassist-sessions'), ledger: bytesOf('mangaassist-ledger') }
  database.close()
  return stored
}
