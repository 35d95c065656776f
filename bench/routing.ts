// What routing saves on a generated day, how many complex questions it sends to the lesser model, and what a decision costs. See
// `routing/day.ts` for the day.
import { COMPLEXITIES } from '../packages/bookseller/src/understanding/complexity.ts'
import type { JudgedComplexity } from '../packages/bookseller/src/understanding/complexity.ts'
import { judgeComplexity } from '../packages/bookseller/src/understanding/complexity/judge.ts'
import { defaults } from '../packages/server/src/config/config.ts'
import { costMicroUsd } from '../packages/server/src/domain/budget/money.ts'
import type { Price } from '../packages/server/src/domain/budget/money.ts'
import { chooseRoute, RESPONDER } from '../packages/server/src/domain/routing/choose-route.ts'
import type { RouteFacts } from '../packages/server/src/domain/routing/choose-route.ts'
import { proportion } from '../packages/server/src/domain/routing/recorded-quality.ts'
import type { RoutingSettings } from '../packages/server/src/domain/routing/routing-settings.ts'
import { readModelBook } from '../packages/server/src/wiring/models/model-facts.ts'
import { readComplexity } from '../packages/server/src/wiring/bundled-data.ts'
import { bundledTurns, drawDay, plainIn } from './routing/day.ts'
import type { DayTurn } from './routing/day.ts'

const TURNS = Number(process.env['TURNS'] ?? 20_000)
const DAYS = Number(process.env['DAYS'] ?? 200)
const SEED = process.env['SEED'] ?? '1'
/** Answers by a model, beside those of the built-in responder; both write a sentence or two. */
const LENGTH_FACTOR = Number(process.env['LENGTH_FACTOR'] ?? 1)
const ROUNDS = 20
/** Beside the default, to show what more or less caution costs. */
const SURE_FROM = [0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.975, 0.98, 0.99]

const PAIRS = [
  ['claude-3 sonnet and haiku', 'anthropic.claude-3-sonnet-20240229-v1:0', 'anthropic.claude-3-haiku-20240307-v1:0'],
  ['sonnet 5.5 and haiku 5.5', 'global.anthropic.claude-sonnet-5-5', 'global.anthropic.claude-haiku-5-5'],
  [
    'sonnet 4.5 and haiku 4.5',
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  ],
] as const

const ROUTED: RoutingSettings = { ...defaults.routing, enabled: true }
const WITHOUT_MODEL: RoutingSettings = { ...ROUTED, withoutModel: ['faq', 'price', 'stock', 'order'] }
const SETTINGS = [
  ['with a model for everything', ROUTED],
  ['faq, price, stock, order without', WITHOUT_MODEL],
] as const satisfies readonly (readonly [string, RoutingSettings])[]

const conversations = await bundledTurns()
const turns = conversations.flat()
const judgedOf = new Map(turns.map((turn) => [turn, judge(turn, ROUTED.sureFrom)]))
const book = await readModelBook()

console.log(
  `${conversations.length} conversations with ${turns.length} turns, by label: ${COMPLEXITIES.map((level) => `${level} ${percent(turns.filter((turn) => turn.level === level).length / turns.length)}`).join(', ')}`,
)
const plain = Map.groupBy(
  turns.filter((turn) => plainIn(turn).length > 0),
  (turn) => plainIn(turn).join('+'),
)
console.log(
  `surely answered without a model: ${[...plain].map(([kind, of]) => `${kind} ${percent(of.length / turns.length)}`).join(', ')}`,
)
console.log(
  `language: ja ${percent(turns.filter(({ record }) => record.language === 'ja').length / turns.length)}; tokens, median: prompt ${median(turns.map(({ record }) => record.inputTokens))}, answer ${median(turns.map(({ record }) => record.outputTokens))}`,
)
misroutes()
for (const pair of PAIRS) savings(pair)
heldOut()
frontier(PAIRS[0])
await decisions()

function misroutes(): void {
  console.log('\njudged without its writer        simple  moderate   complex')
  for (const level of COMPLEXITIES) {
    const of = turns.filter((turn) => turn.level === level)
    const cells = COMPLEXITIES.map((judged) =>
      String(of.filter((turn) => judgedOf.get(turn)?.level === judged).length).padStart(10),
    )
    console.log(`  labelled ${level.padEnd(18)}${cells.join('')}`)
  }
  for (const [name, settings] of SETTINGS) {
    const complex = turns.filter(({ level }) => level === 'complex')
    const below = complex.filter((turn) => firstOf(turn, settings) === 'economy')
    const without = complex.filter((turn) => firstOf(turn, settings) === RESPONDER)
    const { share, interval } = proportion(below.length, complex.length)
    console.log(
      `complex to economy, ${name.padEnd(33)}${below.length} of ${complex.length}, ${percent(share ?? 0)} (${percent(interval?.[0] ?? 0)} to ${percent(interval?.[1] ?? 1)}); without a model ${without.length}`,
    )
    if (process.env['SHOW'] !== undefined)
      for (const turn of below) console.log(`    ${turn.message} ${JSON.stringify(judgedOf.get(turn)?.probabilities)}`)
  }
}

/** The turns that nothing is tuned by, as they are, each once. */
function heldOut(): void {
  const held = turns.filter(({ isHeldOut }) => isHeldOut)
  const complex = held.filter(({ level }) => level === 'complex')
  const judged = held.filter((turn) => judgedOf.get(turn)?.level === 'complex')
  console.log(
    `\nheld-out conversations: ${held.length} turns, labelled complex ${complex.length}, ${percent(complex.length / held.length)}; judged complex ${judged.length}, ${percent(judged.length / held.length)}`,
  )
  for (const [name, settings] of SETTINGS) {
    const below = complex.filter((turn) => firstOf(turn, settings) === 'economy').length
    const { share, interval } = proportion(below, complex.length)
    const saved = PAIRS.map((pair) => {
      const [primary, economy] = pricesOf(pair)
      const all = held.reduce((sum, turn) => sum + costOf(turn, primary), 0)
      const routed = held.reduce((sum, turn) => sum + costBy(firstOf(turn, settings), turn, { primary, economy }), 0)
      return `${pair[0]} ${percent(1 - routed / all)}`
    })
    console.log(
      `  ${name.padEnd(33)} complex to economy ${below} of ${complex.length}, ${percent(share ?? 0)} (${percent(interval?.[0] ?? 0)} to ${percent(interval?.[1] ?? 1)}); saved: ${saved.join(', ')}`,
    )
  }
}

function pricesOf([, primaryId, economyId]: (typeof PAIRS)[number]): readonly [Price, Price] {
  return [primaryId, economyId].map((id) => {
    const facts = book.factsOf({ provider: 'bedrock', id })
    if (facts === undefined) throw new Error(`${id} has no price`)
    return facts.price
  }) as [Price, Price]
}

/** More or less caution: what is saved, and which complex questions go to the lesser model. */
function frontier(pair: (typeof PAIRS)[number]): void {
  const [primary, economy] = pricesOf(pair)
  const complex = turns.filter(({ level }) => level === 'complex')
  const all = turns.reduce((sum, turn) => sum + costOf(turn, primary), 0)
  console.log(
    `\n${pair[0]}, by routing.sureFrom (default ${ROUTED.sureFrom})\n  sureFrom  complex to economy  saved  saved without a model`,
  )
  for (const sureFrom of SURE_FROM) {
    const judged = new Map(turns.map((turn) => [turn, judge(turn, sureFrom)]))
    const first = (turn: DayTurn, settings: RoutingSettings) =>
      chooseRoute(factsOf(turn, judged.get(turn)!), settings).first
    const below = complex.filter((turn) => first(turn, ROUTED) === 'economy').length
    const [saved, savedMore] = [ROUTED, WITHOUT_MODEL].map((settings) => {
      const cost = turns.reduce((sum, turn) => sum + costBy(first(turn, settings), turn, { primary, economy }), 0)
      return percent(1 - cost / all)
    })
    console.log(
      `  ${String(sureFrom).padEnd(8)}  ${`${below} of ${complex.length}, ${percent(below / complex.length)}`.padEnd(18)}  ${saved}  ${savedMore}`,
    )
  }
}

function savings(pair: (typeof PAIRS)[number]): void {
  const [name] = pair
  const [primary, economy] = pricesOf(pair)
  console.log(`\n${name}, ${TURNS} turns a day, ${DAYS} days`)
  for (const [label, settings] of SETTINGS) {
    const days = Array.from({ length: DAYS }, (_, day) => {
      const drawn = drawDay(conversations, { seed: `${SEED} ${day}`, turns: TURNS }).flat()
      const all = drawn.reduce((sum, turn) => sum + costOf(turn, primary), 0)
      const routed = drawn.reduce((sum, turn) => sum + costBy(firstOf(turn, settings), turn, { primary, economy }), 0)
      // The worst case: each complex question that the lesser model gets is asked again, of the primary one.
      const again = drawn
        .filter((turn) => turn.level === 'complex' && firstOf(turn, settings) === 'economy')
        .reduce((sum, turn) => sum + costOf(turn, primary), 0)
      return { all, routed, saved: 1 - routed / all, savedAfterRepeats: 1 - (routed + again) / all }
    })
    const mean = (of: (day: (typeof days)[number]) => number) =>
      days.reduce((sum, day) => sum + of(day), 0) / days.length
    const saved = days.map((day) => day.saved).sort((one, other) => one - other)
    const at = (quantile: number) => saved[Math.min(days.length - 1, Math.floor(quantile * days.length))] ?? 0
    const shares = ['primary', 'economy', RESPONDER].map(
      (first) => `${first} ${percent(turns.filter((turn) => firstOf(turn, settings) === first).length / turns.length)}`,
    )
    console.log(
      `  ${label.padEnd(33)} all primary $${(mean((day) => day.all) / 1e6).toFixed(2)}, routed $${(mean((day) => day.routed) / 1e6).toFixed(2)}: saved ${percent(mean((day) => day.saved))} (95 % of days ${percent(at(0.025))} to ${percent(at(0.975))}), ${percent(mean((day) => day.savedAfterRepeats))} with every misrouted question asked again; ${shares.join(', ')}`,
    )
  }
}

function judge({ grounding, message, model }: DayTurn, sureFrom: number): JudgedComplexity {
  return judgeComplexity({ message, reading: grounding.reading }, model, { sureFrom })
}

function factsOf(turn: DayTurn, judged: JudgedComplexity): RouteFacts {
  return {
    judged,
    plain: plainIn(turn),
    userTier: turn.record.userTier,
    language: turn.record.language,
    now: { timeLeftMs: 15_000, budgetLeft: 1, lanesDown: [] },
  }
}

function firstOf(turn: DayTurn, settings: RoutingSettings): string {
  return chooseRoute(factsOf(turn, judgedOf.get(turn)!), settings).first
}

function costOf({ record }: DayTurn, price: Price): number {
  return costMicroUsd(price, record.inputTokens, Math.round(record.outputTokens * LENGTH_FACTOR))
}

function costBy(
  first: string,
  turn: DayTurn,
  { primary, economy }: { readonly primary: Price; readonly economy: Price },
): number {
  return first === RESPONDER ? 0 : costOf(turn, first === 'economy' ? economy : primary)
}

/**
 * The judgement, the plain questions and the choice: all that routing adds to a turn that has been read. Of each message the fastest of
 * some rounds counts, because the machine does other work too.
 */
async function decisions(): Promise<void> {
  const model = await readComplexity()
  const fastest = new Map<DayTurn, number>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const turn of turns) {
      const begin = performance.now()
      const judged = judgeComplexity({ message: turn.message, reading: turn.grounding.reading }, model, ROUTED)
      chooseRoute(factsOf(turn, judged), WITHOUT_MODEL)
      const took = (performance.now() - begin) * 1000
      fastest.set(turn, Math.min(took, fastest.get(turn) ?? Number.POSITIVE_INFINITY))
    }
  const sorted = [...fastest.values()].sort((one, other) => one - other)
  const at = (quantile: number) => (sorted[Math.floor(quantile * sorted.length)] ?? 0).toFixed(0)
  console.log(`\na decision, the fastest of ${ROUNDS} rounds: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
