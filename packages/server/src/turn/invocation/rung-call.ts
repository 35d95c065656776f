// The arguments of one call of a rung: its bounds and its listener, its permit, and the tries before it.
import type { Delays } from '#domain/retry/delays.ts'
import type { Routed } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Call } from './attempt.ts'
import type { HeldPermit } from './held-permit.ts'
import type { RungContext } from './rung-context.ts'

export interface Turn {
  readonly signal: AbortSignal
  readonly say: (text: string) => void
  readonly msLeft: number
  /** How long the first text is waited for when another answer is ready. */
  readonly readyMs: number
  readonly routed: Routed
  /** The number of the try at this model. */
  readonly tries: number
  /** Whether it is the hedged call. */
  readonly isHedge?: boolean
  /** The wait before it, when it is a retry. */
  readonly delayMs?: number | undefined
}

export interface PermittedCall {
  readonly draft: AnswerDraft
  readonly call: Call
  readonly held: HeldPermit
}

export interface Making extends PermittedCall {
  readonly routed: Routed
  readonly context: RungContext
}

export interface Tries {
  readonly draft: AnswerDraft
  readonly routed: Routed
  readonly context: RungContext
  readonly tries: number
  readonly delays: Delays
}
