// The arguments of one call of a rung: its bounds and its listener, its permit, and the tries before it.
import type { FirstWord } from '#domain/turn/first-word.ts'
import type { Delays } from '#domain/retry/delays.ts'
import type { Routed } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Call } from './attempt.ts'
import type { HeldPermit } from './held-permit.ts'
import type { RungContext, RunningAnswer } from './rung-context.ts'

export interface Turn {
  readonly signal: AbortSignal
  readonly say: (text: string) => void
  readonly msLeft: number
  readonly firstWord: FirstWord
  readonly routed: Routed
  /** The number of the try at this model. */
  readonly tries: number
  /** Whether it is the hedged call. */
  readonly isHedge?: boolean
  /** The wait before it, when it is a retry. */
  readonly delayMs?: number | undefined
  /** Called when the model begins to think before its first text. */
  readonly onThinking?: () => void
}

export interface PermittedCall {
  readonly draft: AnswerDraft
  readonly call: Call
  readonly held: HeldPermit
}

export interface Making extends PermittedCall {
  readonly answer: RunningAnswer
  readonly context: RungContext
}

export interface Tries {
  readonly answer: RunningAnswer
  readonly context: RungContext
  readonly tries: number
  readonly delays: Delays
}
