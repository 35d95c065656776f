// The language to answer in: what the shopper wished, else the language of the words. A message that names titles and
// nothing else, or has no words at all, says nothing about the language: then it is that of the interface.
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from './language.ts'

export interface LanguageSigns {
  /** An explicit wish decides. */
  readonly wish?: Language | undefined
  readonly interfaceLanguage?: Language | undefined
  readonly message: string
}

/** `withoutTitles` returns the message without the names of series; absent when the catalogue cannot be read. */
export function answerLanguage(signs: LanguageSigns, withoutTitles?: (message: string) => string): Language {
  const { wish, interfaceLanguage, message } = signs
  if (wish !== undefined) return wish
  const written = detectLanguage(message)
  if (interfaceLanguage === undefined || written === interfaceLanguage) return written
  const rest = withoutTitles?.(message) ?? message
  return hasWords(rest) ? detectLanguage(rest) : interfaceLanguage
}

/** Whether `answerLanguage` depends on the titles in the message. */
export function needsTitles({ wish, interfaceLanguage, message }: LanguageSigns): boolean {
  return wish === undefined && interfaceLanguage !== undefined && detectLanguage(message) !== interfaceLanguage
}

const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu
/** Written alike in both languages: OK, laughter, an abbreviation of a volume; and single letters such as `w`. */
const SHARED = /^(?:[a-z]|ok(?:ay)?|w+|lol|(?:ha)+h?|h?m+|vols?|no)$/u

function hasWords(text: string): boolean {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? []
  return words.some((word) => !SHARED.test(word))
}
