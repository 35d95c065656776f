// The least complexity that a message has, by its length and by words that stand for something to be weighed.
import { COMPLEX_CUES, SIMPLE_CUES } from './cues.ts'
import type { CueWords } from './cues.ts'
import type { Complexity } from '../complexity.ts'

/** In characters. */
const SIMPLE_BELOW = 50
const MODERATE_ABOVE = 200
const COMPLEX_ABOVE = 500
/** Enough to know that a message is longer than the longest limit. */
const UNITS_MAX = 2 * COMPLEX_ABOVE + 2

export function floorOf(message: string): Complexity {
  const shown = message.trim().slice(0, UNITS_MAX)
  const { length } = [...shown]
  const text = shown.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  const cues = complexCuesIn(text).length
  if (cues >= 2 || length > COMPLEX_ABOVE) return 'complex'
  if (length < SIMPLE_BELOW && isIn(SIMPLE, text)) return 'simple'
  return cues === 1 || length > MODERATE_ABOVE ? 'moderate' : 'simple'
}

/** The kinds of complex cues in a text in small letters. */
export const complexCuesIn = (text: string): readonly string[] =>
  COMPLEX.flatMap(({ kind, cue }) => (isIn(cue, text) ? [kind] : []))

interface Cue {
  readonly ja: readonly string[]
  readonly en: RegExp
}

const isIn = ({ ja, en }: Cue, text: string): boolean => ja.some((word) => text.includes(word)) || en.test(text)

const cueOf = ({ ja, en }: CueWords): Cue => ({
  ja,
  en: new RegExp(String.raw`(?<![\p{Script=Latin}'-])(?:${en.join('|')})(?![\p{Script=Latin}'-])`, 'u'),
})

const SIMPLE = cueOf(SIMPLE_CUES)
const COMPLEX = COMPLEX_CUES.map(({ kind, words }) => ({ kind, cue: cueOf(words) }))
