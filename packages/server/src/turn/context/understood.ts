// Questions as they are understood over the shelves of now, remembered: every turn of a conversation reads those before it
// again, and understanding one takes longer than anything else on the way to the model. What it may take is bounded: only
// the beginning of a long text is read.
import { createHash } from 'node:crypto'
import type { Language } from '@mangaassist/protocol'
import type { Ask } from '@mangaassist/bookseller/understanding/ask'
import { understand } from '@mangaassist/bookseller/understanding/understand'
import type { Lexicon } from '@mangaassist/bookseller/understanding/understand'
import { foldedPrefix } from '@mangaassist/bookseller/text/words'
import { BoundedMap } from '#lib/collections/bounded-map.ts'

const REMEMBERED_MAX = 5000
/** Longer ones are remembered by their digest: memory must not be a matter of what shoppers paste. */
const KEY_LENGTH_MAX = 300
/** A question is said in fewer; what follows in a letter is for the model alone. */
const READ_FOLDED_MAX = 600

export type Understood = (question: string, language: Language, lexicon: Lexicon) => Ask

/** The part of a message that is read for what it means. */
export function readPart(message: string): string {
  return foldedPrefix(message, READ_FOLDED_MAX)
}

export function rememberUnderstood(): Understood {
  // By the lexicon, so that a new edition of the shelves forgets all that was understood over the one before.
  const remembered = new WeakMap<Lexicon, BoundedMap<string, Ask>>()

  return (question, language, lexicon) => {
    const asks = remembered.get(lexicon) ?? new BoundedMap<string, Ask>(REMEMBERED_MAX)
    remembered.set(lexicon, asks)
    const read = readPart(question)
    const key = `${language}:${read.length > KEY_LENGTH_MAX ? digest(read) : read}`
    const ask = asks.get(key) ?? understand(read, language, lexicon)
    // Set also when it was known, so that the one unused for longest gives way.
    asks.set(key, ask)
    return ask
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
