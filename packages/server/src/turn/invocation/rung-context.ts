// The arguments of a rung's call: the turn that it answers for, and the rung's position in the walk.
import type { Amounts } from '#domain/budget/quota.ts'
import type { FirstWord } from '#domain/turn/first-word.ts'
import type { Routed, Rung } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'

export interface RungContext {
  readonly rung: Rung
  /** Below the turn's first choice: the answer is degraded. */
  readonly isBelow: boolean
  /** Why the models before it did not answer. */
  readonly reason: string
  /** Whether another vendor's model could answer at once: then the turn neither waits nor pauses here for long. */
  readonly othersCan: () => boolean
  /** Whether another one works, though it may be full: then the turn does not wait here, but in the common queue. */
  readonly othersWork: () => boolean
  /** The model that is asked too, or instead, when this one is slow: the first that takes calls now. */
  readonly second: () => Pick<RungContext, 'rung' | 'isBelow'> | undefined
  /** Whether another vendor's model than `second` could answer at once. */
  readonly isThirdFree: (second: Rung) => boolean
  /** Whether the turn's hold still exists and is narrowed to one call: awaited together with the permit. Never rejects. */
  readonly isHeld?: Promise<boolean> | undefined
}

/** The turn that is being answered, what it has said so far, and its promise of a first word. */
export interface RunningAnswer {
  readonly draft: AnswerDraft
  readonly routed: Routed
  readonly firstWord: FirstWord
  readonly signal: AbortSignal
}

/** Raises the turn's hold to `to`, and what it may spend by the cost of its calls that the shop pays; false when there is no room. */
export type Extend = (turn: Pick<Routed, 'start' | 'policy'>, to: Amounts, besideMicroUsd: number) => Promise<boolean>

/** Whether the rung is below the turn's first choice. A model that is asked in place of unpaid vendors always is. */
export function isBelowFirst({ ladder, plan, unpaid }: Routed, { name }: Rung): boolean {
  if (unpaid !== undefined) return true
  return plan?.notBelow === undefined ? ladder[0]?.name !== name : !plan.notBelow.includes(name)
}

/** A vendor's model, which may be slow or gone; the built-in responder is neither. */
export function isVendors({ tier }: Rung): boolean {
  return tier !== 'embedded'
}
