// What a message means after the earlier turns: the state is replayed from them by the same rules every time, so that the
// conversation is the only state.
import type { Language } from '@mangaassist/protocol'
import { intend } from '@mangaassist/bookseller/dialogue/intend'
import { languageOf } from '@mangaassist/bookseller/dialogue/language'
import { hear, replay } from '@mangaassist/bookseller/dialogue/replay'
import type { Recall } from '@mangaassist/bookseller/dialogue/referring/recall'
import type { Read } from '@mangaassist/bookseller/dialogue/understood'
import type { Meant } from '@mangaassist/bookseller/grounding'
import type { StoredTurn } from '#ports/session-store/port.ts'

export interface Said {
  readonly message: string
  /** The language of the message. */
  readonly language: Language
  readonly history: readonly StoredTurn[]
  /** Products that an earlier answer to the same question showed: others come first. */
  readonly seen?: readonly string[]
  /** The language that the request asks for. */
  readonly wished?: Language
  readonly interfaceLanguage?: Language
  readonly page?: { readonly productId?: string }
}

/** A conversation may have any number of turns; what holds longer than this is in its summary. */
const TURNS_MAX = 40

/** The series that a message may describe: those that were shown. */
export function shownIn(history: readonly StoredTurn[]): readonly string[] {
  const ids = history.slice(-TURNS_MAX).flatMap(({ productIds }) => productIds)
  return [...new Set(ids.reverse())].slice(0, SHOWN_MAX)
}

const SHOWN_MAX = 60

export function meaningOf(
  said: Said,
  read: Read,
  recall?: Recall,
): Pick<Meant, 'reading' | 'intent' | 'state' | 'language' | 'isProtest'> {
  const { history, interfaceLanguage, message, wished } = said
  const before = replay(history.slice(-TURNS_MAX), read, recall)
  const understood = hear(before, recall === undefined ? said : { ...said, recall }, read)
  const { isProtest, reading, state } = understood
  const language = languageOf(reading, understood.before, {
    words: message,
    ...(wished === undefined ? {} : { wished }),
    ...(interfaceLanguage === undefined ? {} : { interface: interfaceLanguage }),
  })
  return { reading, intent: intend(understood), state, language, ...(isProtest === true ? { isProtest } : {}) }
}
