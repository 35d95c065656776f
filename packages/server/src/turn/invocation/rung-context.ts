// What the call of a rung is told: the turn that it answers for, and where the rung stands in the walk.
import type { Priority } from '#domain/queue/fair-queue.ts'
import type { Routed, Rung } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'

export interface RungContext {
  readonly rung: Rung
  /** Of the ladder: below the first the answer is degraded. */
  readonly index: number
  /** Why those before it did not answer. */
  readonly reason: string
  /** Another model could answer at once: then nobody waits long for this one. */
  readonly othersCan: boolean
  /** Another model works, though it may be full: then nobody waits here, but where they all come by. */
  readonly othersWork?: boolean
  readonly triesMax?: number
  /** The model that may be asked beside this one when it is slow to speak. */
  readonly next?: { readonly rung: Rung; readonly index: number } | undefined
  /** In the line; by the principal and the question where nothing is said. */
  readonly priority?: Priority
  /** A sure answer is ready without a model: past this moment no model is waited for that is not in its usual time. */
  readonly readyBy?: number | undefined
  /** Whether the turn's hold is still there and narrowed to one call: asked for while the permit is. Never rejects. */
  readonly isHeld?: Promise<boolean> | undefined
}

/** The turn that is being answered, and what it has said so far. */
export interface RunningAnswer {
  readonly telling: AnswerDraft
  readonly routed: Routed
  readonly signal: AbortSignal
}
