// Whether a name in a message is a name there, or part of another word: not 「ナナ」 in 「バナナ」, nor "orange" in
// "orange juice".
import type { Name } from './name.ts'

const LATIN = /[\p{Script=Latin}\p{N}]/u
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

interface Position {
  readonly key: string
  readonly at: number
  readonly origin: readonly number[]
  readonly characters: readonly string[]
  readonly written: readonly string[]
}

export function standsAlone(name: Name, position: Position): boolean {
  return LATIN.test(name.key[0] ?? '') ? inLatin(name, position) : inJapanese(name.key, position)
}

/** Titles and names that are everyday English words: they count only with a capital, and not at the start of a sentence. */
const EVERYDAY = new Set(
  (
    'monster touch given blame phoenix kingdom cobra orange beck emma atom orb power aki bleach monsters angel hero may ' +
    'happy live love march april spring summer snow rain sky moon star ace king joker erased mars ' +
    'diamond blue silver gold fairy tail white black red free piano banana bear fish home ' +
    'dog cat fox wolf lion tiger dragon rose lily iris joe jack luck will art grace faith hope joy sunny ' +
    'mob gin ban god devil doctor teacher master prince princess queen kiss box ' +
    'switch clover swan witch ghost hell heaven paradise ' +
    'morning afternoon evening jump champion sunday cookie flowers action dessert spirits feel young original superior ribon ' +
    'comic magazine chara dear be love wings asuka you'
  ).split(' '),
)

/** Only whole words count; a plural or possessive s is allowed. */
function inLatin(name: Name, { at, origin, characters, written }: Position): boolean {
  const from = origin[at] ?? 0
  const to = origin[at + name.key.length - 1] ?? 0
  if (LATIN.test(characters[from - 1] ?? ' ')) return false
  const after = characters[to + 1] ?? ' '
  if (LATIN.test(after) && after !== 's') return false
  if (after === 's' && LATIN.test(characters[to + 2] ?? ' ')) return false
  if (!EVERYDAY.has(name.key)) return true
  const isWhole = from === 0 && to >= characters.length - 2
  const isCapital = /\p{Lu}/u.test(written[from] ?? '')
  // In Japanese a word in Latin letters is a name.
  return isWhole || JAPANESE.test(after) || (isCapital && (from > 0 || /[!?！？]/u.test(after)))
}

const HIRAGANA_RUN = /^[\p{Script=Hiragana}ー]+$/u
const KATAKANA_RUN = /^[\p{Script=Katakana}ー]+$/u
const KANJI_RUN = /^\p{Script=Han}+$/u
/** The text that may follow a name in hiragana without making it part of another word. */
const AFTER_HIRAGANA_NAME =
  /^(?:$|[^\p{Script=Hiragana}]|[がのはをにともで](?:$|[^\p{Script=Hiragana}])|と\p{Script=Hiragana}{2}|って|みたい|っぽい|より|から|まで|ある|あり|ください|くらい|ぐらい|いくら|すき|どんな|のような|の)/u
const SPECIFIC_LENGTH = 6
const AFTER_SHORT_KANJI = /[好似風系的読全最完在連漫面]/u

const touch = (origin: readonly number[], at: number): boolean => (origin[at + 1] ?? 0) - (origin[at] ?? 0) <= 1

/** 「ギョとうずまき」: the particle belongs to the word before it. */
const isListed = (name: string, { key, at }: Pick<Position, 'key' | 'at'>): boolean =>
  name.length >= LISTED_LENGTH_MIN && /^[^\p{Script=Hiragana}][とや]$/u.test(key.slice(Math.max(0, at - 2), at))
const LISTED_LENGTH_MIN = 3

/** A short name is found only where its script starts and ends. */
function inJapanese(name: string, { key, at, origin }: Position): boolean {
  const end = at + name.length
  // Where the key omits a space or a mark, no character is adjacent to the name.
  const before = touch(origin, at - 1) ? (key[at - 1] ?? '') : ''
  const after = touch(origin, end - 1) ? key.slice(end) : ''
  // Katakana is one word as far as it goes: 「夜ト」 is not in 「夜トイレ」.
  if (KATAKANA_RUN.test(name[0] ?? '') && KATAKANA_RUN.test(before)) return false
  if (KATAKANA_RUN.test(name.at(-1) ?? '') && KATAKANA_RUN.test(after[0] ?? '')) return false
  if (HIRAGANA_RUN.test(name) && name.length < SPECIFIC_LENGTH)
    return (!HIRAGANA_RUN.test(before) || isListed(name, { key, at })) && AFTER_HIRAGANA_NAME.test(after)
  if (KANJI_RUN.test(name) && name.length <= 2) {
    const next = after[0] ?? ''
    return !KANJI_RUN.test(before) && (!KANJI_RUN.test(next) || AFTER_SHORT_KANJI.test(next))
  }
  return true
}
