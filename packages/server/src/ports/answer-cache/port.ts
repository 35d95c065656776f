// Answers that may be given again to whoever asks the same. What is kept is whole, was the route's own choice and has
// nothing personal in it: `domain/answers/shareable.ts` says so before, and the key says what it was made from. Bounded and
// short-lived: it is a saving and a fallback, never a record.
import type { AnswerTier } from '@mangaassist/protocol'
import type { AskInContext } from '@mangaassist/bookseller/understanding/in-context'

export interface CachedAnswer {
  readonly text: string
  /** Of the products shown with it, in their order. */
  readonly productIds: readonly string[]
  /** Who made it. */
  readonly tier: AnswerTier
  readonly model: string
  readonly madeAt: number
  /** Whose question it was made for: it is removed with that person's data. */
  readonly madeFor?: string
  /** On the copy that is found by the words alone: what it was made from, to be compared with the shelves before it is used. */
  readonly madeFrom?: MadeFrom
}

interface MadeFrom {
  /** Of the answer itself: it holds the products as they were, price and stock included. */
  readonly key: string
  readonly ask: AskInContext
  /** Ids, in their order, as all lists here. */
  readonly products: readonly string[]
  readonly liked: readonly string[]
  readonly faq: readonly string[]
}

export interface AnswerCacheLimits {
  /** How long an answer is kept after it was made. */
  readonly keepMs: number
  readonly countMax: number
  /** Of one answer, as JSON: a larger one is not kept. */
  readonly answerBytesMax: number
}

export interface AnswerCache {
  /** Undefined once it is older than `keepMs`, or had to make room. */
  find(key: string): Promise<CachedAnswer | undefined>
  /** Keeps it unless a newer one is there: a slow writer does not undo a quick one. */
  keep(key: string, answer: CachedAnswer): Promise<void>
  /** Whether the caller is the one to make it anew: true for the first who asks, for nobody else until `leaseMs` later. */
  claim(key: string, leaseMs: number): Promise<boolean>
  /** Forgets what was made for a principal; answers how many, copies with `madeFrom` not counted. */
  forgetOf(principalId: string): Promise<number>
}
