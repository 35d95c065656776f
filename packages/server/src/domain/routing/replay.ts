// Routes recorded turns again, by other settings, and adds up what that would have cost. Pure. Records come newest first, as the
// store gives them: a turn is routed when the one before it in its conversation is known, because a bad answer escalates the next.
// Rules about the page, the time, the budget and the lanes are left out: no record says what they were.
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { judgeAgain } from '@mangaassist/bookseller/understanding/complexity/judge'
import { costMicroUsd } from '../budget/money.ts'
import type { Price } from '../budget/money.ts'
import type { Received, TurnRecord } from '../turn-records/turn-record.ts'
import { chooseRoute, RESPONDER } from './choose-route.ts'
import { qualityOf, ReceptionTable } from './recorded-quality.ts'
import type { RecordedQuality } from './recorded-quality.ts'
import type { Escalation, WeighedQuestion } from './route-choice.ts'
import type { RoutingRule, RoutingSettings } from './routing-settings.ts'

/** What a replay uses of a turn record. */
export interface RecordedTurn extends Pick<
  TurnRecord,
  | 'sessionId'
  | 'position'
  | 'userTier'
  | 'language'
  | 'tier'
  | 'model'
  | 'isCached'
  | 'inputTokens'
  | 'outputTokens'
  | 'costMicroUsd'
> {
  readonly weighed?: Omit<WeighedQuestion, 'judged'> & {
    readonly judged: Pick<WeighedQuestion['judged'], 'floor' | 'probabilities'>
  }
  readonly routing?: { readonly choice?: object; readonly escalation?: Escalation }
  readonly mismatches: readonly unknown[]
  readonly received: Pick<Received, 'askedAgain'> & { readonly feedback?: { readonly value: 'up' | 'down' } }
}

export interface ReplaySettings {
  readonly routing: RoutingSettings
  /** Names of models, in the order in which they are asked without routing. */
  readonly ladder: readonly string[]
  readonly priceOf: (name: string) => Price
  /** The configured name of the model with this id of its vendor. */
  readonly nameOf: (modelId: string) => string | undefined
}

export interface Replayed {
  /** Records that were read, and those of them that say what the question asks. */
  readonly turns: number
  readonly routed: number
  /** Turns with a cached answer: no model is asked, whatever the route. */
  readonly cached: number
  /** Turns that no model answered, so that their tokens are estimated: the prompt, and the mean length of the others' answers. */
  readonly estimated: number
  readonly byModel: Readonly<Record<string, RoutedPart>>
  readonly byLevel: Readonly<Record<Complexity, RoutedPart>>
  readonly byRule: Readonly<Record<string, number>>
  /** Names of the rules that no record can be compared with. */
  readonly rulesLeftOut: readonly string[]
  readonly cost: ReplayedCost
  readonly complex: ComplexBelow
  readonly quality: RecordedQuality
}

interface RoutedPart {
  readonly turns: number
  readonly costMicroUsd: number
}

interface ReplayedCost {
  /** As the calls were charged. */
  readonly recordedMicroUsd: number
  /** If the first model of the ladder had answered every turn that needs a model. */
  readonly ladderMicroUsd: number
  readonly routedMicroUsd: number
}

/** Complex questions that would be asked of another model than that of `complex`. */
export interface ComplexBelow {
  /** How many complex questions there are, and how many of them go below: the sums of their probabilities. */
  readonly expected: number
  readonly expectedBelow: number
  /** The same by the likeliest level of each. */
  readonly likeliest: number
  readonly likeliestBelow: number
}

/** What an answer has where no answer of a model is recorded. */
const OUTPUT_TOKENS_TYPICAL = 150

export class Replay {
  readonly #settings: ReplaySettings
  readonly #routing: RoutingSettings
  readonly #rulesLeftOut: readonly string[]
  /** By conversation: the turn whose predecessor is not known yet. */
  readonly #waiting = new Map<string, RecordedTurn>()
  readonly #routes: Route[] = []
  readonly #received = new ReceptionTable()
  #turns = 0
  #recordedMicroUsd = 0
  #answers = 0
  #answerTokens = 0

  constructor(settings: ReplaySettings) {
    this.#settings = settings
    const { routing } = settings
    this.#routing = { ...routing, rules: routing.rules.filter(isComparable) }
    this.#rulesLeftOut = routing.rules.filter((rule) => !isComparable(rule)).map(({ name }) => name)
  }

  /** The newest first. */
  add(record: RecordedTurn): void {
    this.#turns += 1
    const after = this.#waiting.get(record.sessionId)
    this.#waiting.set(record.sessionId, record)
    if (after !== undefined) this.#route(after, record.position < after.position ? record : undefined)
  }

  end(): Replayed {
    for (const record of this.#waiting.values()) this.#route(record, undefined)
    this.#waiting.clear()
    const { ladder, priceOf } = this.#settings
    const typical = this.#answers === 0 ? OUTPUT_TOKENS_TYPICAL : Math.round(this.#answerTokens / this.#answers)
    const costOf = (name: string, route: Route) =>
      name === RESPONDER || route.isCached
        ? 0
        : costMicroUsd(priceOf(name), route.inputTokens, route.outputTokens ?? typical)
    const priced = this.#routes.map((route) => ({ ...route, costMicroUsd: costOf(route.first, route) }))
    const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0)
    const levels = partsBy(priced, ({ level }) => level)
    return {
      turns: this.#turns,
      routed: priced.length,
      cached: priced.filter(({ isCached }) => isCached).length,
      estimated: priced.filter(({ isCached, outputTokens }) => !isCached && outputTokens === undefined).length,
      byModel: partsBy(priced, ({ first }) => first),
      byLevel: Object.fromEntries(
        COMPLEXITIES.map((level) => [level, levels[level] ?? { turns: 0, costMicroUsd: 0 }]),
      ) as Replayed['byLevel'],
      byRule: Object.fromEntries([...Map.groupBy(priced, ({ rule }) => rule)].map(([rule, of]) => [rule, of.length])),
      rulesLeftOut: this.#rulesLeftOut,
      cost: {
        recordedMicroUsd: this.#recordedMicroUsd,
        ladderMicroUsd: sum(priced.map((route) => costOf(ladder[0] ?? RESPONDER, route))),
        routedMicroUsd: sum(priced.map((route) => route.costMicroUsd)),
      },
      complex: complexBelow(priced, this.#routing.levels.complex),
      quality: qualityOf(this.#received, priced),
    }
  }

  #route(record: RecordedTurn, before: RecordedTurn | undefined): void {
    const { weighed } = record
    if (weighed === undefined) return
    const judged = judgeAgain(weighed.judged, this.#routing)
    const escalation = escalationOf(record, before)
    const { first, rule } = chooseRoute(
      {
        judged,
        plain: weighed.plain,
        ...(escalation === undefined ? {} : { escalation }),
        userTier: record.userTier,
        language: record.language,
        now: { timeLeftMs: Number.POSITIVE_INFINITY, budgetLeft: 1, lanesDown: [] },
      },
      this.#routing,
    )
    const isAnswered = record.outputTokens > 0
    this.#recordedMicroUsd += record.costMicroUsd
    if (isAnswered) {
      this.#answers += 1
      this.#answerTokens += record.outputTokens
    }
    const answered = this.#settings.nameOf(record.model) ?? (record.tier === 'embedded' ? RESPONDER : record.tier)
    this.#received.add(judged.level, record.isCached ? 'cached' : answered, record)
    this.#routes.push({
      first,
      rule,
      level: judged.level,
      probabilities: judged.probabilities,
      isCached: record.isCached,
      inputTokens: record.inputTokens > 0 ? record.inputTokens : weighed.promptTokens,
      ...(isAnswered ? { outputTokens: record.outputTokens } : {}),
    })
  }
}

interface Route {
  readonly first: string
  readonly rule: string
  readonly level: Complexity
  readonly probabilities: WeighedQuestion['judged']['probabilities']
  readonly isCached: boolean
  readonly inputTokens: number
  /** Absent where no model answered. */
  readonly outputTokens?: number
}

function isComparable({ when }: RoutingRule): boolean {
  const { budgetLeftUnder, lanesDown, page, timeLeftUnderMs } = when
  return [budgetLeftUnder, lanesDown, page, timeLeftUnderMs].every((condition) => condition === undefined)
}

/** The recorded escalation; for turns that were not routed, the one that follows from how the previous answer was received. */
function escalationOf(record: RecordedTurn, before: RecordedTurn | undefined): Escalation | undefined {
  if (record.routing?.choice !== undefined) return record.routing.escalation
  if (before === undefined) return undefined
  if (before.received.feedback?.value === 'down') return 'thumb-down'
  if (before.mismatches.length > 0) return 'mismatch'
  return before.received.askedAgain === true ? 'asked-again' : undefined
}

function partsBy(
  routes: readonly (Route & { readonly costMicroUsd: number })[],
  nameOf: (route: Route) => string,
): Readonly<Record<string, RoutedPart>> {
  const parts = [...Map.groupBy(routes, nameOf)].map(([name, of]) => {
    const cost = of.reduce((sum, route) => sum + route.costMicroUsd, 0)
    return [name, { turns: of.length, costMicroUsd: cost }] as const
  })
  return Object.fromEntries(parts)
}

/** The responder's own questions are not below: their answers are the shop's data. */
function complexBelow(routes: readonly Route[], model: string): ComplexBelow {
  const isBelow = ({ first }: Route) => first !== model && first !== RESPONDER
  const isLikeliest = ({ probabilities: { simple, moderate, complex } }: Route) =>
    complex >= simple && complex >= moderate
  const expected = (of: readonly Route[]) => of.reduce((sum, { probabilities }) => sum + probabilities.complex, 0)
  const complex = routes.filter(isLikeliest)
  return {
    expected: expected(routes),
    expectedBelow: expected(routes.filter(isBelow)),
    likeliest: complex.length,
    likeliestBelow: complex.filter(isBelow).length,
  }
}
