// Splits a text into words, folded so that width and case do not matter. Only whole words match: "no" is not found in
// "novel", nor 「はい」 in 「はいからさん」.

const segmenters = {
  ja: new Intl.Segmenter('ja', { granularity: 'word' }),
  en: new Intl.Segmenter('en', { granularity: 'word' }),
}

export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** The longest prefix that folds to at most `unitsMax` units; a single character may fold to eighteen units. */
export function foldedPrefix(text: string, unitsMax: number): string {
  let units = 0
  let end = 0
  for (const character of text) {
    units += character.normalize('NFKC').length
    if (units > unitsMax) return text.slice(0, end)
    end += character.length
  }
  return text
}

/** The words as the segmenter splits them. */
export function segmentsOf(text: string, language: 'ja' | 'en'): readonly string[] {
  const words: string[] = []
  for (const { isWordLike, segment } of segmenters[language].segment(fold(text)))
    if (isWordLike === true) words.push(segment)
  return words
}

/** A short piece of hiragana that is not a particle between words. */
const FRAGMENT = /^(?![のがはをにでともへ]$)\p{Script=Hiragana}{1,2}$/u

/**
 * Whole words. The segmenter splits an unknown word into short pieces of hiragana (はい|から|さん), which would be
 * mistaken for words; adjacent pieces are joined again.
 */
export function wordsOf(text: string, language: 'ja' | 'en'): readonly string[] {
  return cutText(text, language).words
}

/** Both at once: cutting a text is what takes the time. */
export function cutText(
  text: string,
  language: 'ja' | 'en',
): { readonly segments: readonly string[]; readonly words: readonly string[] } {
  const segments: string[] = []
  const words: string[] = []
  let joinable = false
  for (const { segment, isWordLike } of segmenters[language].segment(fold(text))) {
    if (isWordLike === true) segments.push(segment)
    const isFragment = segment.length <= 2 && FRAGMENT.test(segment)
    if (isFragment && joinable) words.push(`${words.pop()}${segment}`)
    else if (isWordLike === true) words.push(segment)
    joinable = isFragment
  }
  return { segments, words }
}

/** Whether `words` contains the words of `phrase` consecutively. */
export function containsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length === 0) return false
  return words.some((_, start) => phrase.every((word, index) => words[start + index] === word))
}
