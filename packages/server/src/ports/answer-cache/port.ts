// Answers that may be given again to the same question. A cached answer is complete, was the route's own choice and
// contains nothing personal: `domain/answers/shareable.ts` decides that before, and the key contains what the answer was
// made from. Bounded and short-lived: it saves calls and is a fallback, never a record.
import type { AnswerTier, Source, Suggestion } from '@mangaassist/protocol'
import type { Meant } from '@mangaassist/bookseller/grounding'

export interface CachedAnswer {
  readonly text: string
  /** Ids of the products shown with the answer, in order. */
  readonly productIds: readonly string[]
  readonly suggestions?: readonly Suggestion[]
  /** As they were when the answer was made. */
  readonly sources?: readonly Source[]
  /** The answer tier that made it. */
  readonly tier: AnswerTier
  readonly model: string
  readonly madeAt: number
  /** The principal who asked; the answer is removed with that person's data. */
  readonly madeFor?: string
  /** Set on the copy that is found by the words alone: its sources, which are compared with the catalogue before use. */
  readonly madeFrom?: MadeFrom
}

interface MadeFrom {
  /** Key of the answer itself, made from the products as they were, with price and stock. */
  readonly key: string
  readonly meant: Meant
  /** Ids, in order, like all lists here. */
  readonly products: readonly string[]
  readonly liked: readonly string[]
  readonly faq: readonly string[]
}

export interface AnswerCacheLimits {
  /** Lifetime of an answer. */
  readonly keepMs: number
  readonly countMax: number
  /** Size limit of one answer as JSON; a larger one is not stored. */
  readonly answerBytesMax: number
}

export interface AnswerCache {
  /** Undefined when the answer has expired or was evicted. */
  find(key: string): Promise<CachedAnswer | undefined>
  /** Stores the answer unless a newer one is stored: a slow writer must not undo a quick one. */
  keep(key: string, answer: CachedAnswer): Promise<void>
  /** Whether the caller may refresh the answer: true for the first caller, for no other until `leaseMs` later. */
  claim(key: string, leaseMs: number): Promise<boolean>
  /** Removes the answers made for a principal; returns how many, without copies that have `madeFrom`. */
  forgetOf(principalId: string): Promise<number>
}
