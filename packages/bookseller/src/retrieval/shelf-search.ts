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

export interface ShelfAnswer extends Ranking {
  readonly question: PreparedQuestion
  readonly byText: readonly TextHit[]
  /** The model of the embedder whose vectors gave the meaning score; absent: the vectors of words. */
  readonly embedder?: string
}

export function searchShelf(parts: RankParts, asked: ShelfQuestion, fullText: FullText): ShelfAnswer {
  const question = prepareQuestion(asked, parts.vectors)
  const byText = question.terms.length === 0 ? [] : fullText.find(question.terms)
  const embedder = parts.embedded === undefined ? {} : { embedder: parts.embedded.model }
  return { question, byText, ...embedder, ...rank(parts, question, byText) }
}
