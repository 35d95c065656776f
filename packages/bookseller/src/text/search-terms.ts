// The terms by which a text is found: its words, and for Japanese also pairs of neighbouring characters, because a
// segmenter splits titles (鬼|滅|の|刃). Index and query use the same function, so that their terms match.
import { cutText, fold } from './words.ts'

const JAPANESE_RUN = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]+/gu
/** Particles, endings and sounds of hesitation. */
const SHORT_HIRAGANA = /^(?:\p{Script=Hiragana}{1,2}|ー|ーん|[あうえおん]ー)$/u
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u
const ENGLISH_FILLERS = new Set(
  (
    'a about an and any are as at be by can could did do does for from has have how i if in is it its like me my no not of on ' +
    'or our please some that the there these they this to want was we what when where which who will with would you your'
  ).split(' '),
)

/** Words that fit every product or every question distinguish nothing. */
const SHOP_WORDS = new Set(
  (
    'manga comic comics book books series story stories read reading recommend recommendation something anything looking find good ' +
    '漫画 マンガ まんが 作品 物語 おすすめ オススメ 読み 読む 読みたい 本 話 教え 教えて 探し 探して'
  ).split(' '),
)

const isFiller = (word: string) => SHORT_HIRAGANA.test(word) || ENGLISH_FILLERS.has(word) || SHOP_WORDS.has(word)

/** "pirates" and "pirate" are the same term. */
const singular = (word: string) => (/^[a-z]{3,}[^su]s$/u.test(word) ? word.slice(0, -1) : word)

function pairsOf(text: string): readonly string[] {
  const runs = fold(text).match(JAPANESE_RUN) ?? []
  return runs.flatMap((run) => {
    const characters = [...run]
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })
}

/** The words alone, without fillers. They may repeat. */
export function wordTerms(text: string): readonly string[] {
  const { segments, words } = cutText(text, 'ja')
  const known = new Set(segments)
  // The segmenter splits an unknown name in hiragana into pieces that look like fillers: よつ|ばと.
  const rejoined = words.filter((word) => !known.has(word) && HIRAGANA.test(word))
  return withoutFillers([...segments, ...rejoined])
}

/** Terms may repeat; their order has no meaning. */
export function searchTerms(text: string): readonly string[] {
  return [...wordTerms(text), ...withoutFillers(pairsOf(text))]
}

function withoutFillers(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isFiller(word)).map(singular)
}
