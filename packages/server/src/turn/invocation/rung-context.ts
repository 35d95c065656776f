// The arguments of a rung's call: the turn that it answers for, and the rung's position in the walk.
import type { Priority } from '#domain/queue/fair-queue.ts'
import type { Routed, Rung } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'

export interface RungContext {
  readonly rung: Rung
  /** Below the turn's first choice: the answer is degraded. */
  readonly isBelow: boolean
  /** Why the models before it did not answer. */
  readonly reason: string
  /** Another model could answer at once: then the wait for this one is short. */
  readonly othersCan: boolean
  /** Another model works, though it may be full: then the turn does not wait here, but in the common queue. */
  readonly othersWork?: boolean
  readonly triesMax?: number
  /** The model that may be hedged when this one is slow. */
  readonly next?: Pick<RungContext, 'rung' | 'isBelow'> | undefined
  /** Priority in the queue; by default from the principal and the question. */
  readonly priority?: Priority
  /** A safe answer is ready without a model: after this time a model is only waited for within its usual time. */
  readonly readyBy?: number | undefined
  /** Whether the turn's hold still exists and is narrowed to one call: awaited together with the permit. Never rejects. */
  readonly isHeld?: Promise<boolean> | undefined
}

/** The turn that is being answered, and what it has said so far. */
export interface RunningAnswer {
  readonly draft: AnswerDraft
  readonly routed: Routed
  readonly signal: AbortSignal
}

/** Whether the rung is below the turn's first choice. A model that is asked in place of unpaid vendors always is. */
export function isBelowFirst({ ladder, plan, unpaid }: Routed, { name }: Rung): boolean {
  if (unpaid !== undefined) return true
  return plan?.notBelow === undefined ? ladder[0]?.name !== name : !plan.notBelow.includes(name)
}
