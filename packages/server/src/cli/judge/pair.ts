// Two answers to one question of the evaluation, and which of them serves the shopper better.
import type { Language } from '@mangaassist/protocol'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import type { TriedTurn } from './try-conversation.ts'

export interface Pair {
  /** The id of the conversation. */
  readonly conversation: string
  /** From 1. */
  readonly position: number
  readonly language: Language
  readonly complexity: Complexity
  readonly question: string
  readonly a: PairSide
  readonly b: PairSide
}

interface PairSide {
  readonly turn: TriedTurn
  /** The turns before it, the oldest first. */
  readonly earlier: readonly TriedTurn[]
}

export type PairVerdict =
  | {
      readonly kind: 'judged'
      readonly winner: 'a' | 'b' | 'tie'
      /** How clear it is; 0 for a tie. */
      readonly margin: number
      readonly reasons: readonly string[]
      /** The verdict changed with the position of the answers: a tie. */
      readonly isFlipped?: true
    }
  /** It counts for neither side. */
  | { readonly kind: 'unjudged'; readonly why: 'unparsable' | 'failed' | 'cost'; readonly detail?: string }

export type JudgePair = (pair: Pair) => Promise<PairVerdict>

export interface JudgedPair extends Pair {
  readonly verdict: PairVerdict
}
