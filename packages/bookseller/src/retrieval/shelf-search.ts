// Search over one edition: its shelf, and the full text that the adapter searches. Every search adapter uses it, so that all find
// the same.
import { isSpelling, spelledLike, trigramsIn } from './names.ts'
import { prepareQuestion } from './question.ts'
import type { PreparedQuestion, ShelfQuestion } from './question.ts'
import { rank } from './rank.ts'
import type { RankParts, Ranking, TextHit } from './rank.ts'

/** Both return the best first. */
export interface FullText {
  find(terms: readonly string[]): readonly TextHit[]
  /** The products that have names with some of the groups of three letters. */
  findSpelling(trigrams: readonly string[]): readonly TextHit[]
}

export interface ShelfAnswer extends Ranking {
  readonly question: PreparedQuestion
  readonly byText: readonly TextHit[]
  /** The model of the embedder whose vectors gave the meaning score; absent: the vectors of words. */
  readonly embedder?: string
}

/** The hits whose names are compared letter by letter. */
const COMPARED_MAX = 40

export function searchShelf(parts: RankParts, asked: ShelfQuestion, fullText: FullText): ShelfAnswer {
  const question = prepareQuestion(asked, parts.vectors)
  const byText = question.terms.length === 0 ? [] : fullText.find(question.terms)
  const spelled =
    isSpelling(question.text) && question.like.length === 0
      ? spellings(parts, question, { byText, fullText })
      : new Map()
  const embedder = parts.embedded === undefined ? {} : { embedder: parts.embedded.model }
  return { question, byText, ...embedder, ...rank(parts, question, { byText, spelled }) }
}

/** How alike the question and the names of products are that share letters with it. */
function spellings(
  { shelf }: RankParts,
  { text }: PreparedQuestion,
  { byText, fullText }: { readonly byText: readonly TextHit[]; readonly fullText: FullText },
): ReadonlyMap<number, number> {
  const trigrams = trigramsIn(text)
  const near = [
    ...byText.slice(0, COMPARED_MAX),
    ...(trigrams.length === 0 ? [] : fullText.findSpelling(trigrams).slice(0, COMPARED_MAX)),
  ]
  const alike = near.map(({ product }) => [product, spelledLike(text, shelf.detail(product).names)] as const)
  return new Map(alike.filter(([, likeness]) => likeness > 0))
}
