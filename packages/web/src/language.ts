// Chooses the language of the interface, and detects the language of a text. Used by the chat and the storefront.
import type { Language } from '@mangaassist/protocol'

const japanese = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u

/** The first candidate that is a supported language; `en-GB` counts as `en`. Default: Japanese. */
export function firstSpoken(...candidates: readonly (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const primary = candidate?.toLowerCase().split('-')[0]
    if (primary === 'ja' || primary === 'en') return primary
  }
  return 'ja'
}

/** For the `lang` attribute, which selects fonts and voices: a page in one language holds texts in the other. */
export function languageOf(text: string): Language {
  return japanese.test(text) ? 'ja' : 'en'
}

export function otherThan(language: Language): Language {
  return language === 'ja' ? 'en' : 'ja'
}
