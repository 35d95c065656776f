// What the words of a search box say, without a conversation: the wish, and the series that the results should resemble.
// It is more careful than a chat: a word inside a remembered plot ("the old man", "a ten-year-old") is no condition.
import type { Wish } from './wish.ts'
import { NO_WISH } from './wish.ts'
import type { Reading } from '../understanding/reading.ts'
import { wishOf } from './wish-of.ts'

export interface WordsRead {
  readonly wish: Wish
  readonly like: readonly string[]
}

export function readWords(reading: Reading): WordsRead {
  const { act, plot, series, spans } = reading
  const like = series.flatMap(({ role, id }) => (role === 'like' && id !== undefined ? [id] : []))
  if (act === 'find' || plot !== '') return { wish: NO_WISH, like: [] }
  // "Like Junji Ito's Uzumaki" names a series with its author, and wants more than that author.
  const by = like.length > 0 && !spans.some(({ role }) => role === 'by') ? [] : reading.by
  return { wish: wishOf({ ...reading, by }), like }
}
