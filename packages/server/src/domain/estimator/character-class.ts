// The class of every UTF-16 unit, in one table of 64 KiB that is built once: by Unicode block, and for Han and Hangul by how
// common a character is. Half-width kana count as kana, and full-width Latin does not count as Japanese.
import {
  COMMON_WORDS,
  HANGUL_COMMON,
  HANGUL_USUAL,
  KANA_PAIRS_LOOSE,
  KANA_PAIRS_TIGHT,
  KANJI_COMMON,
  KANJI_RARE,
  KANJI_USUAL,
  LATIN_CUTS,
} from './character-tables.ts'
import { KNOWN_CHARACTERS, KNOWN_PAIRS, KNOWN_PICTURES, LONG_RUNS } from './known-tables.ts'

// The order matters: classes up to ACCENTED form Latin words, and before classes from HIRAGANA to OTHER_TWO_BYTES a space is a
// token of its own.
export const LOWER = 0
export const UPPER = 1
export const ACCENTED = 2
export const DIGIT = 3
export const SPACE = 4
export const NEWLINE = 5
export const TAB = 6
export const PUNCTUATION = 7
export const HIRAGANA = 8
export const KATAKANA = 9
export const HALF_KANA = 10
export const HALF_MARK = 11
export const KANJI_1 = 12
export const KANJI_2 = 13
export const KANJI_3 = 14
export const KANJI_4 = 15
export const WIDE_PUNCTUATION = 16
export const WIDE_MARK = 17
export const WIDE_LATIN = 18
export const HANGUL_1 = 19
export const HANGUL_2 = 20
export const HANGUL_3 = 21
export const THAI = 22
export const INDIC = 23
export const ARABIC = 24
export const OTHER = 25
export const OTHER_TWO_BYTES = 26
export const CYRILLIC = 27
export const TYPOGRAPHY = 28
export const SYMBOL = 29
export const SMALL_SYMBOL = 30
export const JOINER = 31
export const HIGH_SURROGATE = 32
export const LOW_SURROGATE = 33
/** A character that is not one token in the tokenizers, or a control character, which costs one each in any row: it costs its bytes. */
export const RARE = 34
export const CLASSES = 35

/** First unit, last unit and class. Later ranges override earlier ones. */
const RANGES: readonly (readonly [number, number, number])[] = [
  [0x0000, 0x001f, RARE],
  [0x0021, 0x002f, PUNCTUATION],
  [0x003a, 0x0040, PUNCTUATION],
  [0x005b, 0x0060, PUNCTUATION],
  [0x007b, 0x007e, PUNCTUATION],
  [0x007f, 0x007f, RARE],
  [0x0009, 0x0009, TAB],
  [0x000a, 0x000a, NEWLINE],
  [0x000d, 0x000d, NEWLINE],
  [0x0020, 0x0020, SPACE],
  [0x0030, 0x0039, DIGIT],
  [0x0041, 0x005a, UPPER],
  [0x0061, 0x007a, LOWER],
  [0x0080, 0x00bf, SMALL_SYMBOL],
  [0x00c0, 0x024f, ACCENTED],
  [0x00d7, 0x00d7, SMALL_SYMBOL],
  [0x00f7, 0x00f7, SMALL_SYMBOL],
  [0x0250, 0x07ff, OTHER_TWO_BYTES],
  [0x0300, 0x036f, ACCENTED],
  [0x0400, 0x052f, CYRILLIC],
  [0x0600, 0x06ff, ARABIC],
  [0x0750, 0x077f, ARABIC],
  [0x0900, 0x0dff, INDIC],
  [0x0e00, 0x0e7f, THAI],
  [0x1100, 0x11ff, HANGUL_3],
  [0x1e00, 0x1eff, ACCENTED],
  [0x2000, 0x206f, TYPOGRAPHY],
  [0x200b, 0x200f, JOINER],
  [0x2060, 0x2064, JOINER],
  [0x2070, 0x2bff, SYMBOL],
  [0x20d0, 0x20ff, JOINER],
  [0x2e80, 0x2fdf, KANJI_4],
  [0x3000, 0x303f, WIDE_MARK],
  [0x3000, 0x3002, WIDE_PUNCTUATION],
  [0x300c, 0x300d, WIDE_PUNCTUATION],
  [0x3005, 0x3005, KANJI_2],
  [0x3041, 0x309f, HIRAGANA],
  [0x30a0, 0x30ff, KATAKANA],
  [0x30fb, 0x30fb, WIDE_PUNCTUATION],
  [0x3130, 0x318f, HANGUL_3],
  [0x31f0, 0x31ff, KATAKANA],
  [0x3200, 0x33ff, SYMBOL],
  [0x3400, 0x9fff, KANJI_4],
  [0xac00, 0xd7a3, HANGUL_3],
  [0xd800, 0xdbff, HIGH_SURROGATE],
  [0xdc00, 0xdfff, LOW_SURROGATE],
  [0xf900, 0xfaff, KANJI_4],
  [0xfb50, 0xfdff, ARABIC],
  [0xfe00, 0xfe0f, JOINER],
  [0xfe30, 0xfe4f, WIDE_MARK],
  [0xfe70, 0xfefe, ARABIC],
  [0xff01, 0xff65, WIDE_MARK],
  [0xff01, 0xff01, WIDE_PUNCTUATION],
  [0xff08, 0xff09, WIDE_PUNCTUATION],
  [0xff0c, 0xff0c, WIDE_PUNCTUATION],
  [0xff1a, 0xff1a, WIDE_PUNCTUATION],
  [0xff1f, 0xff1f, WIDE_PUNCTUATION],
  [0xff10, 0xff19, WIDE_LATIN],
  [0xff21, 0xff3a, WIDE_LATIN],
  [0xff41, 0xff5a, WIDE_LATIN],
  [0xff66, 0xff9d, HALF_KANA],
  [0xff9e, 0xff9f, HALF_MARK],
  [0xffe0, 0xffef, WIDE_MARK],
]

/** Classes in which a character is never RARE: the lists below grade it, or the class already costs its bytes. */
const isGraded = (kind: number, unit: number): boolean =>
  IN_PICTURES.includes(unit) ||
  (unit >= FIRST_FULL_WIDTH && (kind === WIDE_MARK || unit <= LAST_FULL_WIDTH_DIGIT)) ||
  (kind >= HALF_KANA && kind <= KANJI_4) ||
  (kind >= HANGUL_1 && kind <= HANGUL_3) ||
  kind === HIGH_SURROGATE ||
  kind === LOW_SURROGATE

const FIRST_NOT_ASCII = 0x80
const FIRST_FULL_WIDTH = 0xff01
const LAST_FULL_WIDTH_DIGIT = 0xff19
/** The joiner, the keycap and the variation selector, which ordinary emoji contain. */
const IN_PICTURES: readonly number[] = [0x200d, 0x20e3, 0xfe0f]
const FIRST_COMPATIBLE = 0x2000
const LAST_SYMBOL = 0x3400
const FIRST_PRESENTATION = 0xf900
const PICTURES_FIRST = 0x1f000
const PICTURES_LAST = 0x1faff

/** Decodes ranges of characters in base 36 to a table that starts at `first`. */
function listedIn(ranges: string, first: number, last: number): Uint8Array {
  const listed = new Uint8Array(last - first + 1)
  for (const range of ranges.split(' ')) {
    const [from = 0, to = from] = range.split('-').map((end) => Number.parseInt(end, 36))
    listed.fill(1, from - first, to - first + 1)
  }
  return listed
}

export const CLASS_OF: Uint8Array = classes()

function classes(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(OTHER)
  for (const [first, last, kind] of RANGES) table.fill(kind, first, last + 1)
  const known = listedIn(KNOWN_CHARACTERS, FIRST_NOT_ASCII, 0xffff)
  for (let unit = FIRST_NOT_ASCII; unit < table.length; unit += 1) {
    if (known[unit - FIRST_NOT_ASCII] === 0 && !isGraded(table[unit]!, unit)) table[unit] = RARE
  }
  const listed = [
    [KANJI_COMMON, KANJI_1],
    [KANJI_USUAL, KANJI_2],
    [KANJI_RARE, KANJI_3],
    [HANGUL_COMMON, HANGUL_1],
    [HANGUL_USUAL, HANGUL_2],
  ] as const
  for (const [characters, kind] of listed) {
    for (let index = 0; index < characters.length; index += 1) table[characters.charCodeAt(index)] = kind
  }
  return table
}

/** By unit: the additional bytes of a rare character's compatibility form, such as 30 for a sign that stands for an Arabic phrase. */
const EXPANDED: Uint8Array = expansions()

export const expandedBytes = (unit: number): number => EXPANDED[unit] as number

function expansions(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let unit = FIRST_COMPATIBLE; unit < table.length; unit += 1) {
    if (CLASS_OF[unit] !== RARE || (unit >= LAST_SYMBOL && unit < FIRST_PRESENTATION)) continue
    const form = String.fromCharCode(unit).normalize('NFKC')
    table[unit] = Math.max(0, encodeURIComponent(form).replaceAll(/%../g, '.').length - 3)
  }
  return table
}

const PICTURE_KNOWN: Uint8Array = listedIn(KNOWN_PICTURES, PICTURES_FIRST, PICTURES_LAST)

/** Whether the tokenizers have this emoji, given as its surrogates. */
export function isKnownPicture(high: number, low: number): boolean {
  const codePoint = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
  return PICTURE_KNOWN[codePoint - PICTURES_FIRST] === 1
}

/** Classes whose fitted costs hold only for pairs of characters that usually occur together. */
export const isPaired = (kind: number): boolean =>
  kind === PUNCTUATION || (kind >= WIDE_PUNCTUATION && kind <= WIDE_MARK) || (kind >= THAI && kind <= SMALL_SYMBOL)

const LONG_RUN: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, unit) =>
  LONG_RUNS.includes(String.fromCharCode(unit)) ? 1 : 0,
)

/** Whether a long run of this sign is one token. */
export const isLongRun = (unit: number): boolean => LONG_RUN[unit] === 1

/** The index of a pair in the bit map. */
export const pairSlot = (first: number, second: number): number =>
  Math.imul(Math.imul(first, 0x10001) + second, 0x9e3779b1) >>> 16

/** Whether tokenizers often have this pair in one token. */
export function isKnownPair(first: number, second: number): boolean {
  return PAIR_KNOWN[pairSlot(first, second)] === 1
}

/** A letter takes five bits (a is 1, as in the lower bits of its code), three letters make one number; all bits set: no letter. */
export const LETTER_BITS = 5
export const LETTER = (1 << LETTER_BITS) - 1
export const NO_LETTERS = (1 << (3 * LETTER_BITS)) - 1
const LETTERS = 27
export const PACKED = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_'

const PAIR_KNOWN: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, slot) => {
  return (PACKED.indexOf(KNOWN_PAIRS.charAt(Math.floor(slot / 6))) >> (slot % 6)) & 1
})

/** By three letters: how often tokenizers cut before the last one, from 0 (hardly ever) to 3 (nearly always). */
export const LATIN_CUT: Uint8Array = latinCuts()

function latinCuts(): Uint8Array {
  const table = new Uint8Array(NO_LETTERS + 1)
  const bits = (letter: number) => (letter === LETTERS - 1 ? LETTER : letter + 1)
  for (let index = 0; index < LETTERS ** 3; index += 1) {
    const [first, second] = [Math.floor(index / LETTERS ** 2), Math.floor(index / LETTERS) % LETTERS]
    const three = (((bits(first) << LETTER_BITS) | bits(second)) << LETTER_BITS) | bits(index % LETTERS)
    table[three] = (PACKED.indexOf(LATIN_CUTS.charAt(Math.floor(index / 3))) >> (4 - 2 * (index % 3))) & 3
  }
  return table
}

export const HASH_START = 0x811c9dc5
const WORD_SLOTS = 0x10000

/** Adds a unit to a word's hash; the lower half of the hash is the word's slot in the table. */
export const hashOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** By slot: the position of the word in `COMMON_WORDS`, plus one. */
const COMMON_AT: Uint16Array = commonWords()

function commonWords(): Uint16Array {
  const table = new Uint16Array(WORD_SLOTS)
  let start = 0
  for (const word of COMMON_WORDS.split(' ')) {
    let hash = HASH_START
    for (let index = 0; index < word.length; index += 1) hash = hashOn(hash, word.charCodeAt(index))
    table[hash & (WORD_SLOTS - 1)] = start + 1
    start += word.length + 1
  }
  return table
}

/** Compares letter by letter, because words with the same hash are easy to construct. The first letter may be a capital. */
export function isCommon(hash: number, text: string, start: number, end: number): boolean {
  const at = (COMMON_AT[hash & (WORD_SLOTS - 1)] as number) - 1
  if (at < 0 || (COMMON_WORDS.charCodeAt(at) | 32) !== (text.charCodeAt(start) | 32)) return false
  const length = end - start
  for (let index = 1; index < length; index += 1) {
    if (COMMON_WORDS.charCodeAt(at + index) !== text.charCodeAt(start + index)) return false
  }
  return at + length === COMMON_WORDS.length || COMMON_WORDS.charCodeAt(at + length) === 0x20
}

const KANA_FIRST = 0x3041
const KANA_ROWS = 0x3100 - KANA_FIRST
const KANA_CUT: Uint8Array = kanaCuts()

/** For two kana of one script: 0 if they are mostly one token, 1 if sometimes, 2 if hardly ever. */
export const kanaCut = (first: number, second: number): number =>
  KANA_CUT[(first - KANA_FIRST) * KANA_ROWS + second - KANA_FIRST] ?? 2

function kanaCuts(): Uint8Array {
  const table = new Uint8Array(KANA_ROWS * KANA_ROWS).fill(2)
  for (const [pairs, cut] of [
    [KANA_PAIRS_LOOSE, 1],
    [KANA_PAIRS_TIGHT, 0],
  ] as const) {
    for (let at = 0; at < pairs.length; at += 2) {
      table[(pairs.charCodeAt(at) - KANA_FIRST) * KANA_ROWS + pairs.charCodeAt(at + 1) - KANA_FIRST] = cut
    }
  }
  return table
}
