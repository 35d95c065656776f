// Two real nodes on one Redis, with simulated models and small budgets, and what their logs and books say.
import { secretHash } from '#lib/text/secret-hash.ts'
import { startServer, temporaryFolder } from '../e2e/server-process.ts'

const ADMIN = 'maa_of_the_redis_troubles'

/** What a shopper may spend in a day, and on each node without Redis: some turns each. */
export const DAY_MICRO_USD = 60_000
export const ALONE_MICRO_USD = 6000

export async function startFleet(redisUrl: string, vendorUrl: string, more: Readonly<Record<string, string>> = {}) {
  await using opened = new AsyncDisposableStack()
  const env = {
    MANGA_SERVER__LOGLEVEL: 'info',
    MANGA_STATE__REDIS: redisUrl,
    MANGA_STATE__ALONE__MICROUSDPERUSER: String(ALONE_MICRO_USD),
    MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
    MANGA_MODELS__PRIMARY__ID: 'simulated',
    MANGA_MODELS__PRIMARY__BASEURL: `${vendorUrl}/v1`,
    MANGA_MODELS__PRIMARY__PRICE: '3,15',
    MANGA_LADDER: '["primary"]',
    MANGA_TIERS__FREE__MICROUSDPERDAY: String(DAY_MICRO_USD),
    MANGA_TIERS__FREE__REQUESTSPERMINUTE: '10000',
    MANGA_RATES__USERPERSECOND: '100',
    MANGA_RATES__USERBURST: '100',
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
    MANGA_PROBE__EVERYMS: '0',
    MANGA_TURNS__LEASEMS: '3000',
    MANGA_TURNS__RENEWMS: '500',
    MANGA_TURNS__ORPHANSCANMS: '500',
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'troubles', hash: secretHash(ADMIN) }]),
    ...more,
  }
  const nodes = []
  for (let count = 0; count < 2; count += 1) {
    const folder = opened.use(await temporaryFolder())
    nodes.push(opened.use(await startServer({ dataDir: folder.path, env })))
  }
  const keep = opened.move()
  return { nodes, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>

interface LogLine {
  readonly level: string
  readonly time: string
  readonly event: string
  readonly alarm?: string
  readonly error?: { readonly message: string }
}

/** The most lines of one warning or error in a second, of any node. */
export function worstFlood({ nodes }: Fleet): { readonly event: string; readonly lines: number } {
  let worst = { event: 'none', lines: 0 }
  for (const node of nodes) {
    const inSecond = new Map<string, number>()
    for (const text of node.stderr().split('\n')) {
      if (!text.startsWith('{')) continue
      const line = JSON.parse(text) as LogLine
      if (line.level !== 'warn' && line.level !== 'error') continue
      // Words tell conditions apart, and so do the names of alarms; ids and figures do not.
      const said = (line.error?.message ?? '').replaceAll(/\S*[\d_]\S*/g, '…')
      const event = [line.event, line.alarm ?? '', said].join(' ').trim()
      const second = `${line.time.slice(0, 19)} ${event}`
      const lines = (inSecond.get(second) ?? 0) + 1
      inSecond.set(second, lines)
      if (lines > worst.lines) worst = { event, lines }
    }
  }
  return worst
}

const PAGE = 1000
const PAGES_MAX = 100

/** How many calls of models the ledger has; undefined while it cannot be read. */
export async function callsBooked({ nodes }: Fleet): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${ADMIN}` }
  let calls = 0
  let query = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await fetch(`${nodes[0]?.address}/api/admin/usage/rows?limit=${PAGE}${query}`, { headers })
    if (!response.ok) return undefined
    const { data, metadata } = (await response.json()) as {
      data: { attempt: number; outcome: string; inputTokens: number }[]
      metadata: { next?: string }
    }
    // An answer that needed no model has the attempt 0. A call that never arrived has a row without any use.
    const arrived = data.filter(
      ({ attempt, outcome, inputTokens }) => attempt > 0 && (outcome !== 'connection' || inputTokens > 0),
    )
    calls += arrived.length
    if (metadata.next === undefined) return calls
    query = `&after=${encodeURIComponent(metadata.next)}`
  }
  return undefined
}
