// What kind of thing the shopper said, as far as the words alone tell. Whole words, both languages.
import type { Language } from '@mangaassist/protocol'
import { containsPhrase, wordsOf } from '#lib/words.ts'

export type Said = 'greeting' | 'thanks' | 'question'

const PHRASES: Readonly<Record<Exclude<Said, 'question'>, Readonly<Record<Language, readonly string[]>>>> = {
  greeting: {
    ja: ['こんにちは', 'こんばんは', 'おはよう', 'おはようございます', 'はじめまして', 'やあ', 'どうも'],
    en: ['hello', 'hi', 'hey', 'good morning', 'good evening', 'good afternoon'],
  },
  thanks: {
    ja: ['ありがとう', 'ありがとうございます', 'ありがとうございました', '助かりました', 'サンキュー'],
    en: ['thanks', 'thank you', 'cheers'],
  },
}

/** Courtesies are short; a long message that begins with "hello" is a question. */
const COURTESY_WORDS_MAX = 6

const phraseWords = new Map(
  Object.entries(PHRASES).flatMap(([said, byLanguage]) =>
    Object.entries(byLanguage).map(([language, phrases]) => [
      `${said}:${language}`,
      phrases.map((phrase) => wordsOf(phrase, language as Language)),
    ]),
  ),
)

export function classify(message: string, language: Language): Said {
  const words = wordsOf(message, language)
  if (words.length > COURTESY_WORDS_MAX || /[?？]/u.test(message)) return 'question'
  for (const said of ['thanks', 'greeting'] as const) {
    if (phraseWords.get(`${said}:${language}`)?.some((phrase) => containsPhrase(words, phrase)) === true) return said
  }
  return 'question'
}
