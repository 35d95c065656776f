// Words of a text, folded for comparison: width and case do not matter, and a word is a whole word, so that
// "no" is not found in "novel" nor 「はい」 in 「はいからさん」.

const segmenters = {
  ja: new Intl.Segmenter('ja', { granularity: 'word' }),
  en: new Intl.Segmenter('en', { granularity: 'word' }),
}

export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** As much of the beginning as folds to at most so many units: some single characters fold to eighteen. */
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

/** As the dictionary cuts them. */
export function segmentsOf(text: string, language: 'ja' | 'en'): readonly string[] {
  const segments = [...segmenters[language].segment(fold(text))]
  return segments.filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment)
}

/** Short hiragana that is not a particle standing between words. */
const FRAGMENT = /^(?![のがはをにでともへ]$)\p{Script=Hiragana}{1,2}$/u

/**
 * Whole words. What the dictionary does not know it cuts into short pieces of hiragana (はい|から|さん), which would
 * be taken for words; such pieces side by side are put together again.
 */
export function wordsOf(text: string, language: 'ja' | 'en'): readonly string[] {
  const words: string[] = []
  let joinable = false
  for (const { segment, isWordLike } of segmenters[language].segment(fold(text))) {
    const isFragment = FRAGMENT.test(segment)
    if (isFragment && joinable) words.push(`${words.pop()}${segment}`)
    else if (isWordLike === true) words.push(segment)
    joinable = isFragment
  }
  return words
}

/** Whether the words of `phrase` stand in `words` one after the other. */
export function containsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length === 0) return false
  return words.some((_, start) => phrase.every((word, index) => words[start + index] === word))
}
