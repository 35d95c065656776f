// `npm run bench -- promise`: the first word under single faults. Each cell is a node, a Redis, a search engine and simulated models as
// processes of their own, whose first words come as those of real models do; shoppers ask five questions a second, first without the
// fault, then with it. Prints when their first words came, what answered, and what was called. Exit code 1 when a promise is missed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { LaneView } from '../packages/protocol/src/admin/index.ts'
import { seededFloats } from '../packages/server/src/lib/collections/seeded-floats.ts'
import { sleep } from './chaos/reader.ts'
import { startCluster } from './cluster/cluster.ts'
import type { Cluster } from './cluster/cluster.ts'
import { cellsOf, isTotal, SHOPS } from './promise/cells.ts'
import type { Cell, Shop } from './promise/cells.ts'
import { Shoppers } from './promise/shoppers.ts'
import type { Asked } from './promise/shoppers.ts'
import { crowd } from './servers/crowd.ts'

const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '1000' },
    shops: { type: 'string', default: Object.keys(SHOPS).join(',') },
    faults: { type: 'string' },
  },
})

const EVALUATION = fileURLToPath(new URL('../packages/bookseller/evaluation', import.meta.url))
const SHOPPERS = 30
const WARM_UP = 40
/** Median and 95th percentile of the first words of hosted models. */
const PACE = { firstTokenMs: 700, firstTokenP95Ms: 1400, tokensPerSecond: 60 }
const PROMISED_MS = 3000
/** Once the circuits know that no model is healthy. */
const KNOWN_MS = 1000
const CALLS_MAX = 1.1
const POLL_MS = 100
/** The most questions until a circuit must be open, and how many are asked from then on where no model is healthy. */
const UNTIL_KNOWN_MAX = 100
const KNOWN_QUESTIONS = 20

const questions = [
  ...linesOf('conversations').map((line) => (JSON.parse(line) as { turns: { say: string }[] }).turns[0]?.say ?? ''),
  ...linesOf('questions').map((line) => (JSON.parse(line) as { query: string }).query),
]

function linesOf(folder: string): readonly string[] {
  const files = readdirSync(join(EVALUATION, folder)).toSorted()
  return files.flatMap((name) =>
    readFileSync(join(EVALUATION, folder, name), 'utf8')
      .trim()
      .split('\n'),
  )
}

const settingsOf = (shop: Shop): Record<string, string> => ({
  ...crowd,
  MANGA_SERVER__LOGLEVEL: 'warn',
  ...(SHOPS[shop].hasVendor ? { MANGA_LADDER: JSON.stringify(SHOPS[shop].ladder) } : {}),
  MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1000',
  MANGA_TIERS__FREE__INPUTTOKENSPERDAY: '100000000',
  MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '100000000',
  MANGA_TIERS__FREE__MICROUSDPERDAY: '1000000000',
  MANGA_BUDGETS__STOREMICROUSDPERDAY: '1000000000000',
  MANGA_SUMMARIES__ENABLED: 'false',
})

interface Measured {
  readonly asked: readonly Asked[]
  /** Asked once the circuits knew that no model is healthy. */
  readonly afterwards: readonly Asked[]
  readonly beganAt: number
  /** When the circuits of all failing models were first seen not closed. */
  readonly knownAt: number | undefined
  readonly calls: number
}

/** Follows the circuits until it is closed. */
class Circuits {
  readonly #cluster: Cluster
  readonly #failing: Cell['failing']
  #isOver = false
  knownAt: number | undefined

  constructor(cluster: Cluster, { failing }: Cell) {
    this.#cluster = cluster
    this.#failing = failing
    this.#isOver = failing === undefined
  }

  async follow(): Promise<void> {
    while (!this.#isOver && this.knownAt === undefined) {
      const lanes = await this.#lanes()
      const models = lanes.filter((lane) => lane.models.some((name) => this.#failing === 'all' || name === 'primary'))
      const isKnown = ({ phase, rejected }: LaneView) => phase !== 'closed' || rejected.length > 0
      if (models.length > 0 && models.every(isKnown)) this.knownAt = Date.now()
      await sleep(POLL_MS)
    }
  }

  close(): void {
    this.#isOver = true
  }

  async #lanes(): Promise<readonly LaneView[]> {
    const { adminToken, nodes } = this.#cluster
    const headers = { authorization: `Bearer ${adminToken}` }
    const response = await fetch(`${nodes[0]?.service.address}/api/admin/lanes`, { headers }).catch(() => undefined)
    if (response?.ok !== true) return []
    const { data } = (await response.json()) as { data: readonly LaneView[] }
    return data
  }
}

async function callsOf(cluster: Cluster): Promise<number> {
  const response = await fetch(`${cluster.models.address}/_sim/attempts`)
  return ((await response.json()) as { attempts: unknown[] }).attempts.length
}

async function measure(shop: Shop, cell: Cell, count: number): Promise<Measured> {
  const cluster = await startCluster({
    nodes: 1,
    balancer: 'built-in',
    answers: 'plain',
    hasVendor: SHOPS[shop].hasVendor,
    pace: PACE,
    durable: 'redis',
    search: 'stand-in',
    settings: { ...settingsOf(shop), ...cell.settings },
  })
  try {
    const float = seededFloats(`${shop}/${cell.fault}`)
    const shuffled = questions
      .map((question) => ({ question, at: float() }))
      .toSorted((one, other) => one.at - other.at)
    const address = cluster.nodes[0]?.service.address ?? ''
    const shoppers = new Shoppers(address, {
      count: SHOPPERS,
      questions: shuffled.map(({ question }) => question).values(),
    })
    await shoppers.ask(WARM_UP)
    const circuits = new Circuits(cluster, cell)
    const heal = await cell.begin?.(cluster)
    const following = circuits.follow()
    const untilKnown = async () => {
      for (let asked = 0; circuits.knownAt === undefined && asked < UNTIL_KNOWN_MAX; asked += 5) await shoppers.ask(5)
    }
    if (cell.isKnown === true) await untilKnown()
    const before = await callsOf(cluster)
    const beganAt = Date.now()
    const asked = await shoppers.ask(count)
    const calls = (await callsOf(cluster)) - before
    if (isTotal(shop, cell)) await untilKnown()
    const afterwards = isTotal(shop, cell) ? await shoppers.ask(KNOWN_QUESTIONS) : []
    circuits.close()
    await following
    await heal?.()
    shoppers.close()
    return { asked, afterwards, beganAt, knownAt: circuits.knownAt, calls }
  } finally {
    await cluster.close()
  }
}

function at(share: number, times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? Number.NaN
}

const seconds = (ms: number) => (Number.isNaN(ms) ? '–' : (ms / 1000).toFixed(2))

function row(
  shop: Shop,
  cell: Cell,
  { asked, afterwards, beganAt, calls, knownAt }: Measured,
): { line: string; misses: readonly string[] } {
  const times = (of: readonly Asked[]) => of.map(({ firstWordMs }) => firstWordMs ?? Number.POSITIVE_INFINITY)
  const all = times(asked)
  const refused = asked.filter(({ by }) => /^[A-Z]/u.test(by)).length
  const after = [...asked.filter((one) => knownAt !== undefined && one.at > knownAt), ...afterwards]
  const by = Object.entries(Object.groupBy(asked, (one) => one.by)).toSorted(
    ([, a = []], [, b = []]) => b.length - a.length,
  )
  const perAnswer = calls / Math.max(1, asked.length - refused)
  const knewMs = knownAt === undefined ? Number.NaN : Math.max(0, knownAt - beganAt)
  const cells = [
    cell.fault,
    seconds(at(0.5, all)),
    seconds(at(0.99, all)),
    seconds(at(1, all)),
    by.map(([what, of = []]) => `${what} ${of.length}`).join(', '),
    perAnswer.toFixed(2),
    seconds(knewMs),
    seconds(at(0.99, times(after))),
  ]
  const misses = [
    ...(at(0.99, all) > PROMISED_MS ? ['the first word'] : []),
    ...(isTotal(shop, cell) && at(0.99, times(after)) > KNOWN_MS ? ['the first word once no model is healthy'] : []),
    ...(cell.fault === 'none' && perAnswer > CALLS_MAX ? ['calls'] : []),
  ]
  return { line: `| ${[...cells, misses.length === 0 ? '' : `misses ${misses.join(', ')}`].join(' | ')} |`, misses }
}

const HEAD =
  '| fault | p50 | p99 | worst | answered by | calls an answer | circuit knew after | p99 then | |\n|---|---|---|---|---|---|---|---|---|'

let missed = 0
for (const name of values.shops.split(',')) {
  if (!Object.hasOwn(SHOPS, name))
    throw new Error(`--shops has ${name}, which is none of ${Object.keys(SHOPS).join(', ')}`)
  const shop = name as Shop
  const wanted = values.faults?.split(';')
  const cells = cellsOf(shop)
  const count = Math.ceil(Number(values.questions) / cells.length)
  console.log(`\n${shop}, ${count} questions a cell; first words in seconds\n\n${HEAD}`)
  for (const cell of cells.filter(({ fault }) => wanted === undefined || wanted.includes(fault))) {
    const { line, misses } = row(shop, cell, await measure(shop, cell, count))
    missed += misses.length
    console.log(line)
  }
}
process.exit(missed === 0 ? 0 : 1)
