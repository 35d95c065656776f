// How a search for words came to its results: what was read from the words, the parts of each score, what gave the meaning score, what
// chose the products, and what excluded the next best. The command `search --explain` and the console show the same.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Passage } from '@mangaassist/bookseller/retrieval/passages'
import type { Excluded, Ranked, ScorePart } from '@mangaassist/bookseller/retrieval/rank'
import type { WordsRead } from '@mangaassist/bookseller/retrieval/read-words'
import type { ShelfAnswer } from '@mangaassist/bookseller/retrieval/shelf-search'

interface FoundProduct extends Ranked {
  readonly product: Product
  /** The place by full text, from 1; absent when no term of the question is in it. */
  readonly textPlace?: number
  /** What means the question best. */
  readonly matched?: Passage
}

export interface WordsFound {
  readonly read: WordsRead
  readonly question: ShelfAnswer['question']
  /** The model of the embedder whose vectors gave the meaning score; absent: the vectors of words. */
  readonly embedder?: string
  /** What chose the products, where a search engine is configured. */
  readonly chosenBy?: ShelfAnswer['chosenBy']
  readonly found: readonly FoundProduct[]
  /** The best of those that a condition excludes. */
  readonly excluded: readonly (Excluded & { readonly product: Product })[]
}

export const SCORE_PARTS = ['text', 'meaning', 'wishes', 'like', 'named'] as const satisfies readonly ScorePart[]

/** What gave the meaning score, and for the vectors of words why, where an embedder is configured. */
export interface MeaningSource {
  readonly by: 'embedder' | 'words'
  readonly model?: string
  readonly reason?: string
}

/** An embedder, and how many of the series and FAQ entries it has embedded. */
export interface EmbedderState {
  readonly model: string
  status(): {
    readonly state: 'unknown' | 'embedding' | 'ready'
    readonly documents: number
    readonly embedded: number
    readonly failure?: string
  }
}

export function meaningSource({ embedder }: WordsFound, embeddings: EmbedderState | undefined): MeaningSource {
  if (embedder !== undefined) return { by: 'embedder', model: embedder }
  if (embeddings === undefined) return { by: 'words' }
  const { documents, embedded, failure, state } = embeddings.status()
  const missing = `${embedded} of ${documents} series and FAQ entries are embedded; a running server embeds the others`
  const reason = state === 'ready' ? (failure ?? 'the question has no words to compare') : missing
  return { by: 'words', model: embeddings.model, reason }
}

export type SearchExplanation = ReturnType<typeof explanation>

export function explanation({ chosenBy, read, question, found, excluded }: WordsFound, meaningBy: MeaningSource) {
  const { terms, words, freedom } = question
  return {
    read: readIn(read),
    searched: {
      terms: [...terms],
      words: words.map(({ word, weight }) => ({ word, weight: rounded(weight) })),
      freedom: rounded(freedom),
    },
    meaningBy,
    ...(chosenBy === undefined ? {} : { chosenBy }),
    found: found.map(({ product, score, parts, textPlace, matched }) => ({
      id: product.id,
      title: product.title,
      score: rounded(score),
      parts: roundedParts(parts),
      ...(textPlace === undefined ? {} : { textPlace }),
      ...(matched === undefined ? {} : { matched: { field: matched.field, text: matched.text } }),
    })),
    excluded: excluded.map(({ product, score, condition }) => ({
      id: product.id,
      title: product.title,
      score: rounded(score),
      condition,
    })),
  }
}

/** The wishes as lists of words. */
function readIn({ like, wish }: WordsRead) {
  return {
    like: [...like],
    wanted: wish.want.map(({ text, genres, moods }) => [text, ...genres, ...moods].join(' ')),
    avoided: [...wish.avoid, ...(wish.avoidAuthors ?? []), ...(wish.avoidTexts ?? [])],
    conditions: Object.entries(wish.filters).map(([name, value]) => `${name} ${String(value)}`),
  }
}

function roundedParts(parts: Readonly<Record<ScorePart, number>>): Record<ScorePart, number> {
  const { like, meaning, named, text, wishes } = parts
  return {
    text: rounded(text),
    meaning: rounded(meaning),
    wishes: rounded(wishes),
    like: rounded(like),
    named: rounded(named),
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
