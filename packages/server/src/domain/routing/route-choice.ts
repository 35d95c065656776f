// What the router decided for a turn, and why: shown in `meta`, stored in the turn record, and logged.
import type { PlainQuestion } from '@mangaassist/bookseller/dialogue/plain-question'
import type { JudgedComplexity } from '@mangaassist/bookseller/understanding/complexity'
import type { Exposure } from '../experiments/exposure.ts'

/** What is known of a question before a model is chosen, whether routing is on or off: a replay routes by it. */
export interface WeighedQuestion {
  readonly judged: JudgedComplexity
  /** What it asks that the responder is sure to answer; empty where a model is needed. */
  readonly plain: readonly PlainQuestion[]
  /** The estimated tokens of the prompt, also where no model was asked. */
  readonly promptTokens: number
}

/** Everything about its route that outlives a turn. */
export interface TurnRouting {
  readonly choice?: RouteChoice
  readonly escalation?: Escalation
  readonly exposures: readonly Exposure[]
  /** Who is assigned to arms: the principal, or the guest that the user was first seen as. */
  readonly unit: string
}

/** What is recorded of a turn's route. */
export interface RecordedRoute {
  /** How it was routed; absent while routing is off and no experiment runs, and in older records. */
  readonly routing?: TurnRouting
  /** What the question asks of a model; absent for a prompt of the caller's own, and in older records. */
  readonly weighed?: WeighedQuestion
}

/** A cached answer has no exposures: those are of the turn that it was made for. */
export function recordedRoute({ routing, weighed }: RecordedRoute, isCached: boolean): RecordedRoute {
  return {
    ...(routing === undefined ? {} : { routing: isCached ? { ...routing, exposures: [] } : routing }),
    ...(weighed === undefined ? {} : { weighed }),
  }
}

export interface RouteChoice {
  /** The configured name of the model that is asked first; `embedded` where the responder answers without a model. */
  readonly first: string
  /** The rule that decided: `complexity`, `escalated`, `no-model`, or the name of a configured rule. */
  readonly rule: string
  /** One line for people, such as `economy: simple, 0.93`. */
  readonly why: string
  readonly judged: JudgedComplexity
}

/** Why the model above is asked after an answer that did not serve. */
export const ESCALATIONS = ['complaint', 'asked-again', 'thumb-down', 'mismatch'] as const
export type Escalation = (typeof ESCALATIONS)[number]
