// The matrix of `promise.ts`: what fails, and which models a shop has. A cell is one fault in one shop.
import type { Cluster } from '../cluster/cluster.ts'
import { sleep } from '../chaos/reader.ts'

export const SHOPS = {
  'two models': { ladder: ['primary', 'economy'], hasVendor: true },
  'one model': { ladder: ['primary'], hasVendor: true },
  'no model': { ladder: ['embedded'], hasVendor: false },
} as const
export type Shop = keyof typeof SHOPS

/** The configured names of the models are in the ids that the simulator knows. */
const PRIMARY = 'simulated-primary'

export interface Cell {
  readonly fault: string
  /** Which models cannot answer; undefined where the fault is elsewhere. */
  readonly failing?: 'primary' | 'all'
  /** It speaks before it breaks: its first words are kept, and its circuit closes again with each. */
  readonly speaks?: true
  /** Only where a vendor's model answers. */
  readonly needsVendor?: true
  readonly settings?: Readonly<Record<string, string>>
  /** Begins the fault; what it returns ends it. */
  readonly begin?: (cluster: Cluster) => Promise<() => Promise<void> | void>
  /** The circuit is open when the first question comes. */
  readonly isKnown?: true
}

function ofModels(fault: object, model?: string): NonNullable<Cell['begin']> {
  return async ({ models }) => {
    const set = (method: string, body?: string) =>
      fetch(`${models.address}/_sim/faults`, { method, ...(body === undefined ? {} : { body }) })
    await set('POST', JSON.stringify(model === undefined ? fault : { ...fault, model }))
    return async () => void (await set('DELETE'))
  }
}

type OfModels = Pick<Cell, 'begin' | 'failing' | 'needsVendor'>

const ofPrimary = (fault: object): OfModels => ({
  begin: ofModels(fault, PRIMARY),
  needsVendor: true,
  failing: 'primary',
})
const ofAll = (fault: object): OfModels => ({ begin: ofModels(fault), needsVendor: true, failing: 'all' })
const throttled = (retryAfterSeconds: number) => ({ fault: 'error', error: 'throttled', retryAfterSeconds })
const unavailable = { fault: 'error', error: 'unavailable' }

const LATE_MS = 120

/** Stopped for a moment again and again: most calls come later than a node waits for them. */
function late({ redis: { service } }: Cluster): Promise<() => Promise<void>> {
  let isOver = false
  const flapping = (async () => {
    while (!isOver) {
      service.pause()
      await sleep(LATE_MS)
      service.resume()
      await sleep(LATE_MS / 4)
    }
  })()
  return Promise.resolve(async () => {
    isOver = true
    await flapping
  })
}

export const CELLS: readonly Cell[] = [
  { fault: 'none' },
  { fault: 'silence', ...ofPrimary({ fault: 'silence' }) },
  { fault: 'first word after 6 s', ...ofPrimary({ fault: 'slow-first-token', ms: 6000 }) },
  ...[1, 4, 10, 60].map((seconds) => ({ fault: `429, Retry-After ${seconds} s`, ...ofPrimary(throttled(seconds)) })),
  { fault: '503', ...ofPrimary(unavailable) },
  { fault: 'reset', ...ofPrimary({ fault: 'reset' }) },
  { fault: 'stalled after 5 tokens', ...ofPrimary({ fault: 'stall', afterTokens: 5 }), speaks: true },
  { fault: 'cut after 5 tokens', ...ofPrimary({ fault: 'cut', afterTokens: 5 }), speaks: true },
  { fault: 'refused key', ...ofPrimary({ fault: 'error', error: 'access-denied' }) },
  { fault: 'all models silent', ...ofAll({ fault: 'silence' }) },
  { fault: 'all models 503', ...ofAll(unavailable) },
  { fault: 'all models 429, 9 s', ...ofAll(throttled(9)) },
  { fault: 'half-open, still silent', ...ofPrimary({ fault: 'silence' }), isKnown: true },
  { fault: 'Redis late', begin: late },
  { fault: 'Redis gone', begin: ({ redis }) => redis.service.kill().then(() => () => redis.service.start()) },
  {
    fault: 'search gone',
    begin: ({ search }) => Promise.resolve(search?.kill()).then(() => () => {}),
  },
  {
    fault: 'queue full',
    needsVendor: true,
    settings: {
      MANGA_QUEUE__ENTRIESMAX: '2',
      MANGA_MODELS__PRIMARY__CONNECTIONSMAX: '1',
      MANGA_MODELS__ECONOMY__CONNECTIONSMAX: '1',
    },
  },
  {
    fault: 'allowance gone',
    needsVendor: true,
    settings: { MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '120', MANGA_TIERS__FREE__OUTPUTTOKENSPERREQUEST: '100' },
  },
]

/** No model answers. */
export const isTotal = (shop: Shop, { failing, speaks }: Cell): boolean =>
  failing === 'all' || (failing === 'primary' && speaks !== true && SHOPS[shop].ladder.length === 1)

export const cellsOf = (shop: Shop): readonly Cell[] =>
  CELLS.filter(({ needsVendor }) => SHOPS[shop].hasVendor || needsVendor !== true)
