// Finds whole words in a shopper's message. A word in Latin or katakana letters must not be inside another of that
// script (アクション in リアクション). Words that begin with kanji may stand anywhere, since Japanese has no spaces. Short
// words in hiragana must be words of the segmenter, so that はい is not found in はいからさん.
import { containsPhrase, fold, wordsOf } from '../text/words.ts'

const LATIN = /^[\p{Script=Latin}\p{N}]/u
const LATIN_END = /[\p{Script=Latin}\p{N}]$/u
const KATAKANA = /^[\p{Script=Katakana}ー]/u
const KATAKANA_END = /[\p{Script=Katakana}ー]$/u
const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u

export interface Utterance {
  readonly folded: string
  readonly words: readonly string[]
}

/** Prepares a text for the search of words. Hyphens become spaces, and typographic quotes plain ones. */
export function utteranceOf(text: string): Utterance {
  const folded = fold(text)
    .replaceAll(/[‐‑‒–-]/gu, ' ')
    .replaceAll('’', "'")
  return { folded, words: wordsOf(folded, 'ja') }
}

export const contains = (utterance: Utterance, phrase: string): boolean => spansOf(utterance, phrase).length > 0

/** The positions of the phrase in the folded text, as whole words. */
export function spansOf({ folded, words: utteranceWords }: Utterance, phrase: string): readonly Span[] {
  const { sought, words } = prepared(phrase)
  const spans: Span[] = []
  if (words !== undefined && !containsPhrase(utteranceWords, words)) return spans
  for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, at + 1)) {
    if (words !== undefined || standsAlone(folded, at, sought)) spans.push({ from: at, to: at + sought.length })
  }
  return spans
}

export interface Span {
  readonly from: number
  readonly to: number
}

interface Phrase {
  readonly sought: string
  /** Set when the phrase must match words of the segmenter. */
  readonly words?: readonly string[]
}

// Bounds the cache: phrases come from our own tables and the catalogue's names.
const PREPARED_MAX = 20_000
const prepared = memoized((phrase: string): Phrase => {
  const sought = fold(phrase).replaceAll('-', ' ').replaceAll('’', "'")
  // Longer phrases are specific enough, and the segmenter splits them unpredictably.
  const isShortKana = HIRAGANA_ONLY.test(sought) && sought.length <= 3
  return isShortKana ? { sought, words: wordsOf(sought, 'ja') } : { sought }
})

function memoized<Value>(make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = make(key)
    if (known.size < PREPARED_MAX) known.set(key, value)
    return value
  }
}

function standsAlone(text: string, at: number, sought: string): boolean {
  const before = text.slice(0, at)
  const after = text.slice(at + sought.length)
  if (LATIN.test(sought) && LATIN_END.test(before)) return false
  if (LATIN_END.test(sought) && LATIN.test(after)) return false
  if (KATAKANA.test(sought) && KATAKANA_END.test(before)) return false
  return !(KATAKANA_END.test(sought) && KATAKANA.test(after))
}
