// Caches how questions are understood over the current catalogue: every turn of a conversation reads the earlier ones
// again, and understanding takes longer than anything else before the model. Bounded: only the beginning of a long text is
// read.
import { createHash } from 'node:crypto'
import type { Language } from '@mangaassist/protocol'
import type { Ask } from '@mangaassist/bookseller/understanding/ask'
import { understand } from '@mangaassist/bookseller/understanding/understand'
import type { Lexicon } from '@mangaassist/bookseller/understanding/understand'
import { foldedPrefix } from '@mangaassist/bookseller/text/words'
import { BoundedMap } from '#lib/collections/bounded-map.ts'

const REMEMBERED_MAX = 5000
/** Longer texts are cached by their digest: memory must not depend on what shoppers paste. */
const KEY_LENGTH_MAX = 300
/** A question is shorter; the rest of a long message is for the model alone. */
const READ_FOLDED_MAX = 600

export type Understood = (question: string, language: Language, lexicon: Lexicon) => Ask

/** The part of a message that is read for its meaning. */
export function readPart(message: string): string {
  return foldedPrefix(message, READ_FOLDED_MAX)
}

export function rememberUnderstood(): Understood {
  // Keyed by the lexicon, so that a new edition of the catalogue drops everything that was understood over the old one.
  const remembered = new WeakMap<Lexicon, BoundedMap<string, Ask>>()

  return (question, language, lexicon) => {
    const asks = remembered.get(lexicon) ?? new BoundedMap<string, Ask>(REMEMBERED_MAX)
    remembered.set(lexicon, asks)
    const read = readPart(question)
    const key = `${language}:${read.length > KEY_LENGTH_MAX ? digest(read) : read}`
    const ask = asks.get(key) ?? understand(read, language, lexicon)
    // Set also when it was cached, so that the least recently used entry is evicted.
    asks.set(key, ask)
    return ask
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
