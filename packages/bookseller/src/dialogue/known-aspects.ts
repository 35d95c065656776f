// The names of genres and moods in a short message whose wish was not recognised: exact words of the catalogue's own
// vocabulary, never inside a described story or beside a dislike.
import { aspectOf } from '../understanding/aspects.ts'
import type { Act, Aspect, Reading } from '../understanding/reading.ts'
import { GENRES, labelOf, MOODS } from '../understanding/vocabulary.ts'

const MAY_WISH: ReadonlySet<Act> = new Set(['recommend', 'smalltalk', 'unclear', 'choose'])
const WORDS_MAX = { ja: 24, en: 60 } as const

export function withKnownAspects(reading: Reading, words: string): Reading {
  const { act, avoid, allow, plot, want, series, referents, language } = reading
  const isPlain = [avoid, allow, want, series, referents].every((list) => list.length === 0) && plot === ''
  if (!isPlain || !MAY_WISH.has(act) || words.length > WORDS_MAX[language]) return reading
  const { genres, moods } = aspectOf(words)
  const aspect = (text: string, keys: Partial<Aspect>): Aspect => ({
    text,
    genres: [],
    moods: [],
    content: [],
    ...keys,
  })
  const known = [
    ...genres.map((key) => aspect(labelOf(GENRES, key, language), { genres: [key] })),
    ...moods.map((key) => aspect(labelOf(MOODS, key, language), { moods: [key] })),
  ]
  return known.length === 0 || known.length > 2 ? reading : { ...reading, act: 'recommend', want: known }
}
