// What the words of a search box say, without a conversation: the wish, the series that are named, and those that the results
// should resemble. It is more careful than a chat: a word inside a remembered plot ("the old man", "a ten-year-old") is no
// condition.
import { nameKey } from '../text/name-key.ts'
import type { Reading } from '../understanding/reading.ts'
import type { Named } from './question.ts'
import { wishOf } from './wish-of.ts'
import { NO_WISH } from './wish.ts'
import type { Wish } from './wish.ts'

export interface WordsRead {
  readonly wish: Wish
  readonly like: readonly string[]
  readonly named: readonly Named[]
}

export function readWords(reading: Reading, words: string): WordsRead {
  const { act, plot, series, spans } = reading
  const like = series.flatMap(({ role, id }) => (role === 'like' && id !== undefined ? [id] : []))
  const named = namedIn(reading, words)
  if (act === 'find' || plot !== '') return { wish: NO_WISH, like: [], named }
  // "Like Junji Ito's Uzumaki" names a series with its author, and wants more than that author.
  const by = like.length > 0 && !spans.some(({ role }) => role === 'by') ? [] : reading.by
  return { wish: wishOf({ ...reading, by }), like, named }
}

/** The series of the catalogue that the words name, and what share of the words each name is. */
export function namedIn({ series }: Reading, words: string): readonly Named[] {
  const length = Math.max(1, nameKey(words).length)
  return series.flatMap(({ id, text }) =>
    id === undefined ? [] : [{ id, share: Math.min(1, nameKey(text).length / length) }],
  )
}
