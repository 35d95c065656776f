// Caches how messages are read over the current catalogue: every turn of a conversation reads the earlier ones again.
// Bounded: only the beginning of a long text is read.
import { createHash } from 'node:crypto'
import type { Read } from '@mangaassist/bookseller/dialogue/understood'
import { foldedPrefix } from '@mangaassist/bookseller/text/words'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import { read } from '@mangaassist/bookseller/understanding/read'
import type { Lexicon } from '@mangaassist/bookseller/understanding/read'
import type { Reading } from '@mangaassist/bookseller/understanding/reading'
import { BoundedMap } from '#lib/collections/bounded-map.ts'

const READINGS_MAX = 5000
/** Longer texts are cached by their digest: memory must not depend on what shoppers paste. */
const KEY_LENGTH_MAX = 300
/** A question is shorter; the rest of a long message is for the model alone. */
const READ_FOLDED_MAX = 600

/** A reader over a lexicon. */
export type Readings = (lexicon: Lexicon) => Read

/** The part of a message that is read for its meaning. */
function readPart(message: string): string {
  return foldedPrefix(message, READ_FOLDED_MAX)
}

export function cachedReadings(model: UnderstandingModel): Readings {
  // Keyed by the lexicon, so that a new edition of the catalogue drops everything that was read over the old one.
  const cached = new WeakMap<Lexicon, BoundedMap<string, Reading>>()

  return (lexicon) => {
    const readings = cached.get(lexicon) ?? new BoundedMap<string, Reading>(READINGS_MAX)
    cached.set(lexicon, readings)
    return (message, { previous }) => {
      const text = readPart(message)
      // The language of the words, not of the answer: a stored turn may have been answered in another one.
      const language = detectLanguage(text)
      const key = `${language}:${previous}:${text.length > KEY_LENGTH_MAX ? digest(text) : text}`
      const reading = readings.get(key) ?? read({ message: text, language, previous }, lexicon, model)
      // Set also when it was cached, so that the least recently used entry is evicted.
      readings.set(key, reading)
      return reading
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
