// The settings by which the first model of a turn is chosen. The configuration has one set; an experiment's arm may change it
// for its turns.
import type { Language } from '@mangaassist/protocol'
import { PLAIN_QUESTIONS } from '@mangaassist/bookseller/dialogue/plain-question'
import type { PlainQuestion } from '@mangaassist/bookseller/dialogue/plain-question'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { SURE_FROM } from '@mangaassist/bookseller/understanding/complexity/judge'

export interface RoutingSettings {
  readonly enabled: boolean
  /** The model that is asked first, by complexity: names on the ladder. */
  readonly levels: Readonly<Record<Complexity, string>>
  /** A level that is less surely enough is not: the next one is taken. */
  readonly sureFrom: number
  /** What the responder answers without a model. */
  readonly withoutModel: readonly PlainQuestion[]
  /** After an answer that did not serve, the model of `complex` is asked. */
  readonly escalate: boolean
  /** The first that matches decides, before the levels. */
  readonly rules: readonly RoutingRule[]
}

export interface RoutingRule {
  readonly name: string
  readonly when: RuleConditions
  /** The name of a model on the ladder. */
  readonly use: string
}

/** All that are given must hold. */
export interface RuleConditions {
  readonly userTiers?: readonly string[]
  readonly complexity?: readonly Complexity[]
  readonly languages?: readonly Language[]
  /** The path of the page on which it was asked; `*` stands for anything. */
  readonly page?: string
  /** Less than this share of the user's budget is left. */
  readonly budgetLeftUnder?: number
  /** Less time than this is left until the first word is due. */
  readonly timeLeftUnderMs?: number
  /** The circuit of each of these models refuses calls. */
  readonly lanesDown?: readonly string[]
}

/** Rules of routing that are always there, and in the order in which they decide; no configured rule has such a name. */
export const OWN_RULES = ['escalated', 'no-model', 'complexity', 'experiment'] as const

/** Chosen with the weights of the judgement. */
export const ROUTED_SURE_FROM = SURE_FROM
export const ROUTED_LEVELS = COMPLEXITIES
export const ANSWERED_WITHOUT_MODEL = PLAIN_QUESTIONS
