// Search over one edition: its shelf, and the full text that the adapter searches. Every search adapter uses it, so that all find
// the same.
import { prepareQuestion } from './question.ts'
import type { PreparedQuestion, ShelfQuestion } from './question.ts'
import { rank } from './rank.ts'
import type { RankParts, Ranking, TextHit } from './rank.ts'

export interface FullText {
  /** The best first. */
  find(terms: readonly string[]): readonly TextHit[]
}

/** A search engine, or the node's own index and why. */
export type ChosenBy = { readonly by: 'engine' } | { readonly by: 'own-index'; readonly reason: string }

export interface ShelfAnswer extends Ranking {
  readonly question: PreparedQuestion
  readonly byText: readonly TextHit[]
  /** The model of the embedder whose vectors gave the meaning score; absent: the vectors of words. */
  readonly embedder?: string
  /** What chose the products that were ranked, where a search engine is configured. */
  readonly chosenBy?: ChosenBy
}

export function searchShelf(parts: RankParts, asked: ShelfQuestion, fullText: FullText): ShelfAnswer {
  const question = prepareQuestion(asked, parts.vectors)
  return rankedAnswer(parts, question, question.terms.length === 0 ? [] : fullText.find(question.terms))
}

/** The answer when the full text has been searched: `byText` is best first. */
export function rankedAnswer(parts: RankParts, question: PreparedQuestion, byText: readonly TextHit[]): ShelfAnswer {
  const embedder = parts.embedded === undefined ? {} : { embedder: parts.embedded.model }
  return { question, byText, ...embedder, ...rank(parts, question, byText) }
}
