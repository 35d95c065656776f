// Chooses the model that a turn asks first, and says why. Pure: facts and settings in, a choice out. An answer that did not
// serve comes first, then what needs no model, then the configured rules in their order, then the complexity.
import type { Language } from '@mangaassist/protocol'
import type { PlainQuestion } from '@mangaassist/bookseller/dialogue/plain-question'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import type { Complexity, JudgedComplexity } from '@mangaassist/bookseller/understanding/complexity'
import type { Escalation, RouteChoice } from './route-choice.ts'
import type { RoutingRule, RoutingSettings, RuleConditions } from './routing-settings.ts'

export interface RouteFacts {
  readonly judged: JudgedComplexity
  /** What the message asks that the responder is sure to answer; empty where a model is needed. */
  readonly plain: readonly PlainQuestion[]
  /** Why the answer before did not serve. */
  readonly escalation?: Escalation
  readonly userTier: string
  readonly language: Language
  /** The path of the page on which it was asked. */
  readonly path?: string
  readonly now: RouteState
}

/** What changes from one moment to the next. */
export interface RouteState {
  readonly timeLeftMs: number
  /** The share of the user's budget that is left, from 0 to 1. */
  readonly budgetLeft: number
  /** The models whose circuit refuses calls. */
  readonly lanesDown: readonly string[]
}

/** The name of the responder as the first choice. */
export const RESPONDER = 'embedded'

export function chooseRoute(facts: RouteFacts, settings: RoutingSettings): RouteChoice {
  const { judged, plain, escalation } = facts
  const { levels } = settings
  if (settings.escalate && escalation !== undefined)
    return chosen(judged, { first: levels.complex, rule: 'escalated', why: WHY_ESCALATED[escalation] })
  if (isPlain(facts, settings))
    return chosen(judged, { first: RESPONDER, rule: 'no-model', why: `${plain.join(' and ')}, sure` })
  const rule = settings.rules.find(({ when }) => holds(when, facts))
  const level = levelSaid(judged)
  if (rule !== undefined)
    return chosen(judged, { first: rule.use, rule: rule.name, why: `rule ${rule.name}; ${level}` })
  return chosen(judged, { first: levels[judged.level], rule: 'complexity', why: level })
}

/** The choice by configuration alone, whatever the time, the budget and the lanes: cached answers are found by it. */
export function plannedRoute(facts: RouteFacts, settings: RoutingSettings): RouteChoice {
  return chooseRoute(facts, { ...settings, rules: settings.rules.filter((rule) => !isOfMoment(rule)) })
}

/** The ladder with the first choice before the others, which keep their order. */
export function askedInOrder(first: string, ladder: readonly string[]): readonly string[] {
  return ladder.includes(first) ? [first, ...ladder.filter((name) => name !== first)] : ladder
}

/** The models whose answer is as good as the choice: the chosen one and those above it on the ladder. */
export function notBelow(first: string, ladder: readonly string[]): readonly string[] {
  const at = ladder.indexOf(first)
  return at === -1 ? ladder : ladder.slice(0, at + 1)
}

const WHY_ESCALATED: Readonly<Record<Escalation, string>> = {
  complaint: 'escalated, a complaint about the last answer',
  'asked-again': 'escalated, the last question was asked again',
  'thumb-down': 'escalated, a thumb down for the last answer',
  mismatch: 'escalated, the store contradicted the last answer',
}

function chosen(judged: JudgedComplexity, { first, rule, why }: Omit<RouteChoice, 'judged'>): RouteChoice {
  return { first, rule, why: `${first}: ${why}`, judged }
}

/** Words or a length that a plain question does not have speak against it, however surely it was read. */
function isPlain({ judged, plain }: RouteFacts, { withoutModel }: RoutingSettings): boolean {
  if (judged.floor !== 'simple' || likeliestOf(judged) === 'complex') return false
  return plain.length > 0 && plain.every((kind) => withoutModel.includes(kind))
}

const likeliestOf = ({ probabilities }: JudgedComplexity): Complexity =>
  COMPLEXITIES.reduce((most, each) => (probabilities[each] > probabilities[most] ? each : most))

/** The level and how sure it is; where the trained model finds another likelier, that one: `simple, 0.93`. */
function levelSaid(judged: JudgedComplexity): string {
  const { level, floor, probabilities, sureness } = judged
  const likeliest = likeliestOf(judged)
  if (level === likeliest) return `${level}, ${sureness.toFixed(2)}`
  const isAbove = rankOf(level) > rankOf(likeliest)
  const cause = level === floor && isAbove ? 'by its words' : isAbove ? 'unsure' : 'sure enough'
  return `${level} ${cause}, likeliest ${likeliest}, ${probabilities[likeliest].toFixed(2)}`
}

const rankOf = (level: Complexity) => COMPLEXITIES.indexOf(level)

function isOfMoment({ when }: RoutingRule): boolean {
  return when.budgetLeftUnder !== undefined || when.timeLeftUnderMs !== undefined || when.lanesDown !== undefined
}

function holds(when: RuleConditions, { judged, userTier, language, path, now }: RouteFacts): boolean {
  return (
    (when.userTiers?.includes(userTier) ?? true) &&
    (when.complexity?.includes(judged.level) ?? true) &&
    (when.languages?.includes(language) ?? true) &&
    (when.page === undefined || (path !== undefined && matches(path, when.page))) &&
    (when.budgetLeftUnder === undefined || now.budgetLeft < when.budgetLeftUnder) &&
    (when.timeLeftUnderMs === undefined || now.timeLeftMs < when.timeLeftUnderMs) &&
    (when.lanesDown?.every((name) => now.lanesDown.includes(name)) ?? true)
  )
}

/** Part by part, so that no path can make it slow. */
function matches(path: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return path === pattern
  if (!path.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return path.length - end.length >= at && path.endsWith(end)
}
