// What a text is found by: its words, and the pairs of neighbouring characters of Japanese, because a segmenter
// cuts titles apart (鬼|滅|の|刃). Both sides of a search use this, so that what was indexed is what is asked.
import { containsPhrase, fold, segmentsOf, wordsOf } from './words.ts'

const JAPANESE_RUN = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]+/gu
const SHORT_HIRAGANA = /^\p{Script=Hiragana}{1,2}$/u
const ENGLISH_FILLERS = new Set(
  (
    'a about an and any are as at be by can could did do does for from has have how i if in is it its like me my no not of on ' +
    'or our please some that the there these they this to want was we what when where which who will with would you your'
  ).split(' '),
)

const isFiller = (word: string) => SHORT_HIRAGANA.test(word) || ENGLISH_FILLERS.has(word)

function pairsOf(text: string): readonly string[] {
  const runs = fold(text).match(JAPANESE_RUN) ?? []
  return runs.flatMap((run) => {
    const characters = [...run]
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })
}

/** With repetitions, in no particular order. */
export function searchTerms(text: string): readonly string[] {
  return [...segmentsOf(text, 'ja').filter((word) => !isFiller(word)), ...pairsOf(text)]
}

const JAPANESE = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]/u
const NAME_LENGTH_MIN = 2

/**
 * Whether `text` speaks of `name`: anywhere in Japanese, which has no spaces; as whole words otherwise, so that
 * "OP" is not in "shop".
 */
export function mentions(text: string, name: string): boolean {
  if (!JAPANESE.test(name)) return containsPhrase(wordsOf(text, 'en'), wordsOf(name, 'en'))
  const key = nameKey(name)
  return key.length >= NAME_LENGTH_MIN && nameKey(text).includes(key)
}

/** Folded, without spaces and punctuation. */
function nameKey(text: string): string {
  return fold(text).replaceAll(/[\p{P}\p{S}\p{Z}]+/gu, '')
}
