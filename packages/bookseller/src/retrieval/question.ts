// A question prepared for ranking: which of its words are searched by text and by meaning, and how much each counts. Words that
// name a wished attribute are left to the attributes, and words that name an unwanted one are not searched at all.
import { searchTerms } from '../text/search-terms.ts'
import { NO_WISH } from './wish.ts'
import type { Wish } from './wish.ts'
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
}

export interface QuestionWord {
  readonly word: string
  readonly row: number
  readonly weight: number
}

export interface PreparedQuestion {
  readonly text: string
  readonly limit: number
  readonly wish: Wish
  readonly like: readonly string[]
  readonly exclude: readonly string[]
  /** Searched in the full text; unique. */
  readonly terms: readonly string[]
  readonly words: readonly QuestionWord[]
  /** How much of the question is more than its attributes, from 0 to 1. */
  readonly freedom: number
  readonly avoided: readonly (readonly QuestionWord[])[]
}

/** More terms cost time and add no meaning. */
const TERMS_MAX = 64
const WORDS_MAX = 24

export function prepareQuestion(question: ShelfQuestion, vectors: WordVectors): PreparedQuestion {
  const { text, limit, wish = NO_WISH, like = [], exclude = [] } = question
  const unwanted = new Set([
    ...namesOfKeys(wish.avoid, vectors),
    ...(wish.avoidTexts ?? []).flatMap((aspect) => contentWords(aspect, vectors).map(({ word }) => word)),
  ])
  const attributes = new Set(namesOfKeys([...wish.genres, ...wish.moods], vectors))
  const said = [text, ...(wish.want ?? [])].join('\n')
  const words = wordsIn(said, vectors).filter(({ word }) => !unwanted.has(word))
  const free = words.filter(({ word }) => !attributes.has(word))
  const terms = [...new Set(searchTerms(said))].filter((term) => !unwanted.has(term)).slice(0, TERMS_MAX)
  return {
    text,
    limit,
    wish,
    like,
    exclude,
    terms,
    words: words.slice(0, WORDS_MAX),
    freedom: words.length === 0 ? (terms.length === 0 ? 0 : 1) : sumOf(free) / sumOf(words),
    avoided: (wish.avoidTexts ?? []).map((aspect) => wordsIn(aspect, vectors)).filter((aspect) => aspect.length > 0),
  }
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
