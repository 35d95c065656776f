// The language of an answer: the one that was asked for, else that of the message; a message without words of its own, such as
// a title, is answered in the language of the page.
import type { Language } from '@mangaassist/protocol'
import { withoutOrderIds } from '../text/order-ids.ts'
import type { Reading, Role } from '../understanding/reading.ts'
import type { DialogueState } from './state.ts'

export interface LanguageWishes {
  /** The explicit wish of the request. */
  readonly wished?: Language
  /** The language of the page around the chat. */
  readonly interface?: Language
}

const NAMES: ReadonlySet<Role> = new Set(['title', 'like', 'read', 'hate', 'by', 'notby', 'in', 'notin'])
/** "ok", "w", "lol": letters that are words in no language. */
const SOUNDS = /^(?:[a-z]{1,2}|lo+l|ha(?:ha)+|hm+|ww+|nice)$/iu

export function languageOf(
  { answerIn, language, spans }: Reading,
  { agreed, spoken }: DialogueState,
  wishes: LanguageWishes & { readonly words: string },
): Language {
  const usual = wishes.interface ?? spoken
  const explicit = answerIn ?? wishes.wished ?? agreed
  if (explicit !== undefined) return explicit
  return usual !== undefined && !hasWords(wishes.words, spans) ? usual : language
}

/** Whether anything but names, signs and sounds is left of a message. */
function hasWords(text: string, spans: Reading['spans']): boolean {
  const plain = withoutOrderIds(text.normalize('NFKC'))
  const named = spans.filter(({ role }) => NAMES.has(role))
  const rest = named.reduce((left, span) => left.replace(span.text, ' '), plain)
  const words = rest.match(/\p{L}+/gu) ?? []
  return words.some((word) => !SOUNDS.test(word))
}
