// Says what routing would save a shop that has it off: over its own recorded turns where there are enough of them, else over those
// that come with the program. Nothing where it would not pay. `init`, `doctor` and the console propose it by this.
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { costMicroUsd, FREE } from '../budget/money.ts'
import type { Price } from '../budget/money.ts'
import { Replay } from './replay.ts'
import type { RecordedTurn, Replayed } from './replay.ts'
import type { RoutingSettings } from './routing-settings.ts'

export interface PricedLadder {
  readonly routing: RoutingSettings
  /** Names of models, in the order in which they are asked without routing. */
  readonly ladder: readonly string[]
  /** Undefined where no price is known, and for the built-in responder. */
  readonly priceOf: (name: string) => Price | undefined
}

export interface TurnsToReplay {
  /** Those of the shop, the newest first; absent where they cannot be read from here. */
  readonly recorded?: AsyncIterable<RecordedTurn>
  /** Those that come with the program, the newest first. */
  readonly bundled: () => Promise<readonly RecordedTurn[]>
}

export interface RoutingProposal {
  /** The share of the models' cost, if the first of the ladder answered everything. */
  readonly saved: number
  readonly source: 'recorded' | 'bundled'
  /** How many turns it was computed over. */
  readonly turns: number
  readonly ladderMicroUsd: number
  readonly routedMicroUsd: number
  /** The model that would be asked first, by level. */
  readonly levels: Readonly<Record<Complexity, string>>
  /** What to set, as it is written in the configuration. */
  readonly setting: string
}

/** Fewer turns of a shop say little about its questions. */
export const OWN_TURNS_MIN = 200
const OWN_TURNS_MAX = 2000
/** Where prices differ less, a second question after a bad answer costs what routing saves. */
const PRICE_RATIO_MIN = 3
const SAVED_MIN = 0.05
/** The median turn of `npm run bench -- routing`: what prices are compared by. */
const TYPICAL = { inputTokens: 1330, outputTokens: 72 }

/** How much a typical turn costs. */
export const typicalCost = (price: Price): number => costMicroUsd(price, TYPICAL.inputTokens, TYPICAL.outputTokens)

/** Whether the first price is so far above the second that routing between them is worth while. */
export function isFarAbove(price: Price, other: Price): boolean {
  const exact = ({ inputMicroUsdPerMillion, outputMicroUsdPerMillion }: Price) =>
    TYPICAL.inputTokens * inputMicroUsdPerMillion + TYPICAL.outputTokens * outputMicroUsdPerMillion
  return exact(price) > 0 && exact(price) >= PRICE_RATIO_MIN * exact(other)
}

export async function proposeRouting(
  priced: PricedLadder,
  { bundled, recorded }: TurnsToReplay,
): Promise<RoutingProposal | undefined> {
  const levels = priced.routing.enabled ? undefined : levelsFor(priced)
  if (levels === undefined) return undefined
  const own = recorded === undefined ? undefined : replayed(priced, levels, await newest(recorded))
  const isEnough = own !== undefined && own.routed - own.cached >= OWN_TURNS_MIN
  const { cost, routed } = isEnough ? own : replayed(priced, levels, await bundled())
  const saved = cost.ladderMicroUsd === 0 ? 0 : 1 - cost.routedMicroUsd / cost.ladderMicroUsd
  if (saved < SAVED_MIN) return undefined
  return {
    saved,
    source: isEnough ? 'recorded' : 'bundled',
    turns: routed,
    ladderMicroUsd: cost.ladderMicroUsd,
    routedMicroUsd: cost.routedMicroUsd,
    levels,
    setting: settingFor(levels, priced.routing),
  }
}

/** The configured levels where the ladder has them all; else its cheapest model for what the first one is not needed for. */
function levelsFor({ ladder, priceOf, routing }: PricedLadder): RoutingProposal['levels'] | undefined {
  const first = ladder[0]
  const price = first === undefined ? undefined : priceOf(first)
  if (first === undefined || price === undefined) return undefined
  if (routing.rules.some(({ use }) => !ladder.includes(use))) return undefined
  const isConfigured = Object.values(routing.levels).every((name) => ladder.includes(name))
  const vendors = ladder.flatMap((name) => {
    const of = priceOf(name)
    return of === undefined ? [] : [{ name, cost: typicalCost(of) }]
  })
  const cheapest = vendors.reduce((least, each) => (each.cost < least.cost ? each : least)).name
  const levels = isConfigured ? routing.levels : { simple: cheapest, moderate: cheapest, complex: first }
  const lesser = priceOf(levels.simple)
  return lesser !== undefined && isFarAbove(price, lesser) ? levels : undefined
}

function replayed(
  { ladder, priceOf, routing }: PricedLadder,
  levels: RoutingProposal['levels'],
  turns: readonly RecordedTurn[],
): Replayed {
  const replay = new Replay({
    routing: { ...routing, enabled: true, levels },
    ladder,
    priceOf: (name) => priceOf(name) ?? FREE,
    nameOf: () => undefined,
  })
  for (const turn of turns) replay.add(turn)
  return replay.end()
}

async function newest(recorded: AsyncIterable<RecordedTurn>): Promise<readonly RecordedTurn[]> {
  const turns: RecordedTurn[] = []
  for await (const turn of recorded) {
    turns.push(turn)
    if (turns.length === OWN_TURNS_MAX) break
  }
  return turns
}

function settingFor(levels: RoutingProposal['levels'], { levels: configured }: RoutingSettings): string {
  const isSame = (Object.keys(levels) as Complexity[]).every((level) => levels[level] === configured[level])
  if (isSame) return 'routing: { enabled: true }'
  const written = Object.entries(levels).map(([level, name]) => `${level}: ${JSON.stringify(name)}`)
  return `routing: { enabled: true, levels: { ${written.join(', ')} } }`
}
