// A question prepared for ranking: which of its words are searched by text and by meaning, how much each counts, and what is
// wanted, one quality at a time. Words that name something unwanted are not searched at all.
import { searchTerms } from '../text/search-terms.ts'
import { NO_WISH } from './wish.ts'
import type { Wanted, Wish } from './wish.ts'
import { GENRES, MOODS, READERSHIPS } from '../understanding/vocabulary.ts'
import type { Vocabulary } from '../understanding/vocabulary.ts'
import { contentWords } from './content-words.ts'
import type { WordVectors } from './word-vectors.ts'

export interface ShelfQuestion {
  readonly text: string
  readonly limit: number
  readonly wish?: Wish
  /** Ids of series that the results should resemble; they are not among the results. */
  readonly like?: readonly string[]
  readonly exclude?: readonly string[]
  /** The series that the text names. */
  readonly named?: readonly Named[]
}

export interface Named {
  readonly id: string
  /** The share of the text that is the name, from 0 to 1. */
  readonly share: number
}

export interface QuestionWord {
  readonly word: string
  readonly row: number
  readonly weight: number
}

/** One wanted quality, as it is compared with a series. */
export interface WantedAspect {
  readonly words: readonly QuestionWord[]
  /** `genre:horror`, `mood:dark` … */
  readonly keys: readonly string[]
  /** How much of its words the keys say, from 0 to 1: 「静かに旅をする」 is more than the mood. */
  readonly keyed: number
}

export interface PreparedQuestion {
  readonly text: string
  readonly limit: number
  readonly wish: Wish
  readonly like: readonly string[]
  readonly exclude: readonly string[]
  /** How surely each series is meant by name, from 0 to 1. */
  readonly named: ReadonlyMap<string, number>
  /** Searched in the full text; unique. */
  readonly terms: readonly string[]
  readonly words: readonly QuestionWord[]
  readonly aspects: readonly WantedAspect[]
  /** How much of the question is more than its wanted qualities, from 0 to 1. */
  readonly freedom: number
  readonly avoided: readonly (readonly QuestionWord[])[]
}

/** More terms cost time and add no meaning. */
const TERMS_MAX = 64
const WORDS_MAX = 24
const ASPECTS_MAX = 8

export function prepareQuestion(question: ShelfQuestion, vectors: WordVectors): PreparedQuestion {
  const { text, limit, wish = NO_WISH, like = [], exclude = [], named: names = [] } = question
  const unwanted = new Set([
    ...namesOfKeys(wish.avoid, vectors),
    ...(wish.avoidTexts ?? []).flatMap((aspect) => contentWords(aspect, vectors).map(({ word }) => word)),
  ])
  const said = [text, ...wish.want.map((wanted) => wanted.text)].join('\n')
  const words = wordsIn(said, vectors).filter(({ word }) => !unwanted.has(word))
  const aspects = wish.want.slice(0, ASPECTS_MAX).map((wanted) => wantedAspect(wanted, vectors))
  const wanted = new Set(aspects.flatMap((aspect) => aspect.words.map(({ word }) => word)))
  const free = words.filter(({ word }) => !wanted.has(word))
  const terms = [...new Set(searchTerms(said))].filter((term) => !unwanted.has(term)).slice(0, TERMS_MAX)
  return {
    text,
    limit,
    wish,
    like,
    exclude,
    named: new Map(names.map(({ id, share }) => [id, 0.5 + share / 2])),
    terms,
    words: words.slice(0, WORDS_MAX),
    aspects,
    freedom: words.length === 0 ? (terms.length === 0 ? 0 : 1) : sumOf(free) / sumOf(words),
    avoided: (wish.avoidTexts ?? [])
      .map((aspect) => wordsIn(aspect, vectors).slice(0, WORDS_MAX))
      .filter((aspect) => aspect.length > 0),
  }
}

function wantedAspect({ text, genres, moods }: Wanted, vectors: WordVectors): WantedAspect {
  const words = wordsIn(text, vectors).slice(0, WORDS_MAX)
  const names = new Set(namesOfKeys([...genres, ...moods], vectors))
  const named = words.filter(({ word }) => names.has(word))
  const keys = [...genres.map((key) => `genre:${key}`), ...moods.map((key) => `mood:${key}`)]
  return { words, keys, keyed: keys.length === 0 ? 0 : words.length === 0 ? 1 : sumOf(named) / sumOf(words) }
}

const sumOf = (words: readonly QuestionWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

function wordsIn(text: string, vectors: WordVectors): readonly QuestionWord[] {
  const words = new Map<number, QuestionWord>()
  for (const { word, row } of contentWords(text, vectors))
    if (!words.has(row)) words.set(row, { word, row, weight: vectors.weight(row) })
  return [...words.values()]
}

/** The words by which shoppers name the keys. */
function namesOfKeys(keys: readonly string[], vectors: WordVectors): readonly string[] {
  return keys.flatMap((key) =>
    [GENRES, MOODS, READERSHIPS]
      .flatMap((vocabulary) => namesIn(vocabulary, key))
      .flatMap((name) =>
        contentWords(name, vectors)
          .map(({ word }) => word)
          .concat(searchTerms(name)),
      ),
  )
}

function namesIn(vocabulary: Vocabulary, key: string): readonly string[] {
  const entry = Object.hasOwn(vocabulary, key) ? vocabulary[key] : undefined
  return entry === undefined ? [] : [key, entry.label.ja, entry.label.en, ...entry.synonyms.ja, ...entry.synonyms.en]
}
