// Ranks the series that answer a question: full text, meaning, wishes and similarity each give a score, and a weighted sum
// fuses them. Conditions exclude a series whatever its score.
import { nearnessOf } from './word-nearness.ts'
import { UNIT_PRODUCT } from './word-vectors.ts'
import type { WordVectors } from './word-vectors.ts'
import { asksForOffer, avoidedBy, CHILD_AGE_MAX, failedFilter, ShelfView, suitsChildren } from './filters.ts'
import type { Condition, FactsView } from './filters.ts'
import type { EmbeddedMeaning } from './embedded-meaning.ts'
import { meaningOf, NO_MATCH } from './meaning.ts'
import type { MeaningMatch } from './meaning.ts'
import type { PreparedQuestion, QuestionWord } from './question.ts'
import { coarse, nearest } from './nearest.ts'
import { quantised } from './shelf-entry.ts'
import type { ShelfOffer, Shelf } from './shelf.ts'
import { wishesOf } from './wishes.ts'
import type { Wishes } from './wishes.ts'

export interface TextHit {
  readonly product: number
  readonly score: number
}

export interface RankParts {
  readonly shelf: Shelf
  readonly vectors: WordVectors
  readonly offerOf: (product: number) => ShelfOffer
  /** The meaning of the question by an embedder; without it the vectors of its words are compared. */
  readonly embedded?: EmbeddedMeaning | undefined
  /** The products that a search engine chose; absent: they are chosen from the whole shelf. */
  readonly chosen?: readonly number[] | undefined
}

export interface Ranked {
  readonly id: string
  /** Its number on the shelf. */
  readonly number: number
  readonly score: number
  /** The parts of the score, each before its weight. */
  readonly parts: Readonly<Record<ScorePart, number>>
  /** The number of the passage that means the question best; -1 for none. */
  readonly passage: number
  readonly reasons: MeaningMatch['reasons']
}

export type ScorePart = 'text' | 'meaning' | 'wishes' | 'like' | 'named'

export interface Excluded {
  readonly id: string
  readonly score: number
  readonly condition: Condition
}

export interface Ranking {
  readonly ranked: readonly Ranked[]
  /** The best of those that a condition excludes. */
  readonly excluded: readonly Excluded[]
}

const WEIGHTS = { text: 1, meaning: 1.6, named: 3, like: 2 } as const
/** Wishes decide a question that has nothing else, and only tip the scales for a plot. */
const WISHES_WEIGHT = { alone: 3, withText: 0.6 } as const
/** Decides only between series that are otherwise equal. */
const FAME_WEIGHT = 0.1
/** The words of a question for something similar are mostly about the liked series. */
const MEANING_BESIDE_LIKE = 0.4
/** From each source. */
const CANDIDATES_MAX = 50
const EXCLUDED_MAX = 10
const OUT_OF_STOCK_FACTOR = 0.9
/** A product is a result if it contains a term of the question or reaches this similarity. */
const MEANING_MIN = 0.3
/** An unwanted aspect that a product means at least so well excludes it. */
const AVOIDED_MIN = 0.72

export function rank(parts: RankParts, question: PreparedQuestion, byText: readonly TextHit[]): Ranking {
  const { shelf, vectors, offerOf } = parts
  const liked = question.like.flatMap((id) => shelf.numberOf(id) ?? [])
  const out = new Set([...question.like, ...question.exclude])
  const nearness = nearnessOf(wordsOf(question), vectors)
  const meaning = meaningOf(question.words, nearness)
  const avoided = question.avoided.map((words) => meaningOf(words, nearness))
  const textMax = Math.max(...byText.slice(0, 1).map(({ score }) => score), Number.MIN_VALUE)
  const texts = new Map(byText.map(({ product, score }) => [product, score / textMax]))
  const wishes = wishesOf(question.aspects, { shelf, nearness })

  const found: Ranked[] = []
  const excluded: Excluded[] = []
  for (const product of candidates(parts, question, { texts, liked, wishes })) {
    const id = shelf.ids[product]!
    const view = new ShelfView(shelf, offerOf, product)
    const { words } = shelf.detail(product)
    nearness.compare(words)
    const match: MeaningMatch =
      question.words.length === 0
        ? NO_MATCH
        : (parts.embedded?.match(product, question.words.length) ?? meaning.match(words))
    const scored = {
      text: liked.length > 0 ? 0 : (texts.get(product) ?? 0),
      meaning: match.score,
      wishes: withReader(wishes.met(product, words), view, question),
      like: resemblance(shelf, product, liked),
      named: liked.length > 0 ? 0 : (question.named.get(id) ?? 0),
    }
    if (!isAnswer(scored, question)) continue
    const fame = (shelf.fames[product]! / 100) * FAME_WEIGHT
    const score = (fused(scored, question) + fame) * (view.offer.stock > 0 ? 1 : OUT_OF_STOCK_FACTOR)
    const condition = out.has(id)
      ? ('exclude' as const)
      : (avoidedBy(view, question.wish) ??
        failedFilter(view, question.wish.filters) ??
        (avoided.some((aspect) => aspect.about(words) >= AVOIDED_MIN) ? ('avoidTexts' as const) : undefined))
    const { passage, reasons } = match
    if (condition === undefined) found.push({ id, number: product, score, parts: scored, passage, reasons })
    else excluded.push({ id, score, condition })
  }
  return {
    ranked: found.sort(byScore).slice(0, question.limit),
    excluded: excluded
      .filter(({ id }) => !question.like.includes(id))
      .sort(byScore)
      .slice(0, EXCLUDED_MAX),
  }
}

/** Every word that the products are compared with. */
const wordsOf = ({ words, aspects, avoided }: PreparedQuestion): readonly QuestionWord[] => [
  ...words,
  ...aspects.flatMap((aspect) => aspect.words),
  ...avoided.flat(),
]

const byScore = (
  a: { readonly id: string; readonly score: number },
  b: { readonly id: string; readonly score: number },
) => b.score - a.score || (a.id < b.id ? -1 : 1)

function isAnswer(scored: Ranked['parts'], { words, terms, wish, like }: PreparedQuestion): boolean {
  if (words.length === 0 && terms.length === 0) return true
  if (like.length > 0 || Object.keys(wish.filters).length > 0) return true
  return scored.text > 0 || scored.named > 0 || scored.wishes > 0 || scored.meaning >= MEANING_MIN
}

function fused({ text, meaning, wishes, like, named }: Ranked['parts'], question: PreparedQuestion): number {
  return (
    text * WEIGHTS.text +
    meaning * (question.like.length > 0 ? MEANING_BESIDE_LIKE : WEIGHTS.meaning) +
    wishes * wishesWeight(question) +
    like * WEIGHTS.like +
    named * WEIGHTS.named
  )
}

function wishesWeight({ like, freedom }: PreparedQuestion): number {
  const { alone, withText } = WISHES_WEIGHT
  return like.length > 0 ? 1 : withText + (alone - withText) * (1 - freedom) ** 2
}

/** For a child, how suitable it is counts as well. */
function withReader(met: number, view: FactsView, { wish }: PreparedQuestion): number {
  const isForChild = wish.filters.forChildren === true || (wish.filters.readerAge ?? CHILD_AGE_MAX + 1) <= CHILD_AGE_MAX
  return isForChild ? suitsChildren(view, wish.filters.readerAge) + met : met
}

/** How much a product resembles one of the liked: by a stated similarity, by its keys, and by its direction; about 0 to 1. */
function resemblance(shelf: Shelf, product: number, liked: readonly number[]): number {
  let best = 0
  for (const model of liked) {
    const forth = shelf.has(model, shelf.key(`like:${shelf.ids[product]}`)) ? 0.6 : 0
    const back = shelf.has(product, shelf.key(`like:${shelf.ids[model]}`)) ? 0.5 : 0
    const near = Math.max(0, cosine(shelf, product, model))
    best = Math.max(best, Math.min(0.8, forth + back) + 0.35 * near + 0.35 * sharedKeys(shelf, product, model))
  }
  return best
}

const SHARED_KINDS = /^(?:genre|mood|for|by|content):/u

function sharedKeys(shelf: Shelf, a: number, b: number): number {
  const keys = shelf.keysOf(a).filter((key) => SHARED_KINDS.test(key))
  const others = shelf.keysOf(b).filter((key) => SHARED_KINDS.test(key))
  const shared = keys.filter((key) => others.includes(key)).length
  return shared / (keys.length + others.length - shared || 1)
}

function cosine({ vectors }: Shelf, a: number, b: number): number {
  const [one, other] = [vectors.at(a), vectors.at(b)]
  let sum = 0
  for (let k = 0; k < vectors.dimensions; k += 1) sum += one[k]! * other[k]!
  return sum / UNIT_PRODUCT
}

interface CandidateSources {
  readonly texts: ReadonlyMap<number, number>
  readonly liked: readonly number[]
  readonly wishes: Wishes
}

/** The products that are scored in full: the best by text, by direction, by attributes and by similarity. */
function candidates(
  parts: RankParts,
  question: PreparedQuestion,
  { texts, liked, wishes }: CandidateSources,
): readonly number[] {
  const { shelf } = parts
  const named = [...question.named.keys()].flatMap((id) => shelf.numberOf(id) ?? [])
  const known = [...named, ...stated(shelf, liked), ...byEmbedder(parts, question, liked)]
  // A search engine does not know the prices and the stock of this moment.
  if (parts.chosen !== undefined && !asksForOffer(question.wish.filters))
    return [...new Set([...known, ...parts.chosen])]
  const directions = directionsOf(parts, question)
  const alongDirections = coarse(shelf, directions)
  const weight = wishesWeight(question)
  const hasKeys = question.aspects.some(({ keys }) => keys.length > 0)
  const near = (product: number): number => {
    const direct = directions.length === 0 ? 0 : Math.max(0, alongDirections[product]!)
    return direct / UNIT_PRODUCT + (hasKeys ? weight * wishes.keyed(product) : 0)
  }
  const chosen = new Set([...known, ...(parts.chosen ?? [])])
  const isOpen = directions.length > 0 || hasKeys || Object.keys(question.wish.filters).length > 0
  for (const product of isOpen ? nearest(parts, question.wish, { countMax: CANDIDATES_MAX, scoreOf: near }) : [])
    chosen.add(product)
  const first = [...texts].map(([product, score]) => ({ product, score: score + near(product) }))
  for (const { product } of first.sort((a, b) => b.score - a.score).slice(0, CANDIDATES_MAX)) chosen.add(product)
  return [...chosen]
}

/** Where a question points to: by its words, or by the series that it likes. */
export function directionsOf(
  { shelf, vectors }: Pick<RankParts, 'shelf' | 'vectors'>,
  { like, words }: PreparedQuestion,
): readonly Int8Array[] {
  const liked = like.flatMap((id) => shelf.numberOf(id) ?? [])
  if (liked.length > 0) return liked.map((model) => shelf.vectors.at(model))
  return words.length === 0 ? [] : [directionOf(words, vectors)]
}

function byEmbedder(parts: RankParts, { wish, words }: PreparedQuestion, liked: readonly number[]): readonly number[] {
  if (parts.embedded === undefined || words.length === 0 || liked.length > 0) return []
  return nearest(parts, wish, { countMax: CANDIDATES_MAX, scoreOf: parts.embedded.near })
}

/** The products that are stated to be similar to a liked one, in either direction. */
function stated(shelf: Shelf, liked: readonly number[]): readonly number[] {
  return liked.flatMap((model) => {
    const others = shelf
      .keysOf(model)
      .flatMap((key) => (key.startsWith('like:') ? (shelf.numberOf(key.slice(5)) ?? []) : []))
    return [...others, ...shelf.holders(shelf.key(`like:${shelf.ids[model]}`))]
  })
}

function directionOf(words: readonly QuestionWord[], vectors: WordVectors): Int8Array {
  const sum = new Float32Array(vectors.dimensions)
  for (const { row, weight } of words) vectors.add(row, weight, sum)
  return quantised(sum)
}
