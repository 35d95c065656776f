// Questions as they are understood over the shelves of now, remembered: every turn of a conversation reads those before it
// again, and understanding one takes longer than anything else on the way to the model.
import type { Language } from '@mangaassist/protocol'
import type { Ask } from '#domain/understanding/ask.ts'
import { understand } from '#domain/understanding/understand.ts'
import type { Lexicon } from '#domain/understanding/understand.ts'

const REMEMBERED_MAX = 5000
/** Longer ones are rare, and would make memory a matter of what shoppers paste. */
const REMEMBERED_LENGTH_MAX = 300

export type Understood = (question: string, language: Language, lexicon: Lexicon) => Ask

export function rememberUnderstood(): Understood {
  // By the lexicon, so that a new edition of the shelves forgets all that was understood over the one before.
  const remembered = new WeakMap<Lexicon, Map<string, Ask>>()

  return (question, language, lexicon) => {
    if (question.length > REMEMBERED_LENGTH_MAX) return understand(question, language, lexicon)
    const asks = remembered.get(lexicon) ?? new Map<string, Ask>()
    remembered.set(lexicon, asks)
    const key = `${language}:${question}`
    const ask = asks.get(key) ?? understand(question, language, lexicon)
    // Deleted first, so that the one unused for longest is at the front.
    asks.delete(key)
    asks.set(key, ask)
    for (const oldest of asks.size > REMEMBERED_MAX ? asks.keys().take(1) : []) asks.delete(oldest)
    return ask
  }
}
