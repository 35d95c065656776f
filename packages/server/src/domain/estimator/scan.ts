// Counts the features of a text in one pass, without regular expressions or allocations. A scan can be continued: a text in
// pieces gives the same counts as the whole text, wherever it is cut.
import * as C from './character-class.ts'
import { FEATURES, FEATURES_COUNT } from './features.ts'
import type { Feature } from './features.ts'

const at = (feature: Feature): number => FEATURES.indexOf(feature)
const WORD = at('word')
const WORD_BARE = at('wordBare')
const WORD_JOINED = at('wordJoined')
const LETTER = at('letter')
const CUT_1 = at('cut1')
const CAPITAL = at('capital')
const CAPS = at('caps')
const CAMEL = at('camel')
const ACCENTED = at('accented')
const DIGIT_THREE = at('digitThree')
const DIGIT = at('digit')
const MIXED = at('mixed')
const PUNCTUATION = at('punctuation')
const PUNCTUATION_SAME = at('punctuationSame')
const PUNCTUATION_MORE = at('punctuationMore')
const ESCAPE = at('escape')
const SPACE_DIGIT = at('spaceDigit')
const SPACE_OTHER = at('spaceOther')
const SPACES = at('spaces')
const SPACES_MORE = at('spacesMore')
const NEWLINE = at('newline')
const NEWLINE_AFTER = at('newlineAfter')
const NEWLINE_MORE = at('newlineMore')
const KANA = at('kana')
const KATAKANA = at('katakana')
const KANA_LOOSE = at('kanaLoose')
const KANA_TIGHT = at('kanaTight')
const HAN_RUN = at('hanRun')
const KANJI_1 = at('kanji1')
const KANJI_4 = at('kanji4')
const HANGUL_1 = at('hangul1')
const HANGUL_2 = at('hangul2')
const WIDE_PUNCTUATION = at('widePunctuation')
const WIDE_MARK = at('wideMark')
const CYRILLIC = at('cyrillic')
const CYRILLIC_WORD = at('cyrillicWord')
const ARABIC = at('arabic')
const ARABIC_WORD = at('arabicWord')
const FOUR_BYTES = at('fourBytes')
const EMOJI = at('emoji')
const SYMBOL = at('symbol')
const SYMBOL_SAME = at('symbolSame')
const STRANGE = at('strange')
const RARE_BYTE = at('rareByte')
const EXPANDED_BYTE = at('expandedByte')

const PERCENT = 0x25
/** The class before the first character: none. */
const NOTHING = 255
/** Common Han in a longer run than this mean text without kana, that is Chinese, whose words differ. */
const HAN_RUN_MIN = 4
/** A longer word is counted as complete at the end of a piece: no real word is that long. */
const OPEN_WORD_MAX = 64

/** In longer runs of letters, signs or line ends the costs of ordinary text no longer hold. */
const ORDINARY_RUN = { letters: 9, capitals: 5, word: 12, syllables: 7, signs: 3, newlines: 8, tightKana: 10 } as const
const FIRST_OF_TWO_BYTES = 0x80
const FIRST_OF_THREE_BYTES = 0x800
/**
 * The limit of letters in seemingly cheap words that are in no list. Beyond it the text is not a language but was constructed from
 * these tables; every common word, and every small word of other languages, compensates a few letters.
 */
const UNKNOWN_MAX = 120
const MADE_UP_FOR = 4
const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    'el la los las de del que en un una por con para su se al lo le les des du et dans qui sur il elle ne pas au aux ce est di che e è per da ' +
    'della non si o os as do em um uma com não y yang dan ke dari itu ini untuk tidak der die das und den dem ein eine mit von zu no wa wo ga ni to'
  ).split(' '),
)
const SMALL_WORD_MAX = 6
const UNKNOWN_LETTERS_MIN = 4
/** Each cut that was counted covers this many letters. */
const CUT_LETTERS = 3

/** By class: the feature of a class whose characters count the same in any position. */
const PLAIN: Uint8Array = plainFeatures()

function plainFeatures(): Uint8Array {
  const features = new Uint8Array(C.CLASSES)
  const pairs: readonly (readonly [number, Feature])[] = [
    [C.OTHER, 'threeBytes'],
    [C.TAB, 'tab'],
    [C.HALF_KANA, 'halfKana'],
    [C.HALF_MARK, 'halfMark'],
    [C.WIDE_MARK, 'wideMark'],
    [C.WIDE_LATIN, 'wideLatin'],
    [C.THAI, 'thai'],
    [C.INDIC, 'indic'],
    [C.OTHER_TWO_BYTES, 'twoBytes'],
    [C.TYPOGRAPHY, 'typography'],
    [C.SMALL_SYMBOL, 'smallSymbol'],
    [C.JOINER, 'joiner'],
  ]
  for (const [kind, feature] of pairs) features[kind] = at(feature)
  return features
}

export class Scan {
  readonly #counts = new Int32Array(FEATURES_COUNT)
  /** Class and unit of the last character that is not a space, the length of its run, and the spaces after it. */
  #kind = NOTHING
  #unit = 0
  #run = 0
  #spaces = 0
  /** Whether that character is a single sign right after a word or number, so that the next word is joined by it. */
  #joins = false
  /** Letters in seemingly cheap words that are in no list, less the compensation by common words. */
  #unknown = 0
  /** The beginning of a word or of an escape that the next piece may continue; not counted yet. */
  #open = ''

  add(text: string): void {
    this.#read(this.#open === '' ? text : this.#open + text, false)
  }

  /** The counts as if the text ended here. */
  counts(): Int32Array {
    const whole = new Scan()
    whole.#counts.set(this.#counts)
    whole.#kind = this.#kind
    whole.#spaces = this.#spaces
    whole.#joins = this.#joins
    whole.#unknown = this.#unknown
    whole.#read(this.#open, true)
    if (whole.#spaces > 0) countSpaces(whole.#counts, whole.#spaces)
    return whole.#counts
  }

  #countUnknown(text: string, start: number, end: number): void {
    const counts = this.#counts
    const before = counts[CUT_1 + 1]! + counts[CUT_1 + 2]!
    countLetters(counts, text, start, end)
    const cuts = counts[CUT_1 + 1]! + counts[CUT_1 + 2]! - before
    const uncounted = end - start - 2 - CUT_LETTERS * cuts
    if (end - start <= SMALL_WORD_MAX && SMALL_WORDS.has(text.slice(start, end).toLowerCase()))
      this.#unknown = Math.max(0, this.#unknown - MADE_UP_FOR)
    else if (uncounted >= UNKNOWN_LETTERS_MIN - 2) {
      this.#unknown = Math.min(2 * UNKNOWN_MAX, this.#unknown + uncounted)
      if (this.#unknown > UNKNOWN_MAX) counts[CUT_1 + 1]! += uncounted
    }
  }

  #read(text: string, isLast: boolean): void {
    const counts = this.#counts
    let kind = this.#kind
    let previous = this.#unit
    let run = this.#run
    let spaces = this.#spaces
    let joins = this.#joins
    this.#open = ''
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      const now = C.CLASS_OF[unit] as number
      if (now === C.SPACE) {
        spaces += 1
        continue
      }
      if (now <= C.ACCENTED) {
        // Finds the word's end and computes its hash in one loop; the first letter is hashed in lower case.
        let hash = C.hashOn(C.HASH_START, unit | 32)
        let end = index + 1
        for (; end < text.length; end += 1) {
          const next = text.charCodeAt(end)
          if ((C.CLASS_OF[next] as number) > C.ACCENTED) break
          hash = C.hashOn(hash, next)
        }
        if (end === text.length && !isLast && end - index < OPEN_WORD_MAX) {
          this.#open = text.slice(index)
          break
        }
        if (spaces > 1) countSpaces(counts, spaces)
        if (spaces > 0 || kind === NOTHING) counts[WORD]! += 1
        else counts[kind === C.PUNCTUATION && joins ? WORD_JOINED : WORD_BARE]! += 1
        if (kind === C.DIGIT && spaces === 0) counts[MIXED]! += 1
        if (C.isCommon(hash, text, index, end)) this.#unknown = Math.max(0, this.#unknown - MADE_UP_FOR)
        else this.#countUnknown(text, index, end)
        index = end - 1
        kind = C.LOWER
        spaces = 0
        continue
      }
      if (unit === PERCENT) {
        if (index + 2 >= text.length && !isLast) {
          this.#open = text.slice(index)
          break
        }
        if (isEscape(text, index)) {
          if (spaces > 1) countSpaces(counts, spaces)
          counts[ESCAPE]! += 1
          index += 2
          kind = C.PUNCTUATION
          joins = false
          previous = unit
          spaces = 0
          continue
        }
      }
      const lastKind = kind
      let before = kind
      if (spaces > 0) {
        if (now === C.DIGIT) counts[SPACE_DIGIT]! += 1
        else if (now > C.PUNCTUATION && now < C.CYRILLIC) counts[SPACE_OTHER]! += 1
        if (spaces > 1 || now === C.NEWLINE) countSpaces(counts, spaces)
        // The first token of a character that is encoded as bytes does not include a space.
        if (now === C.RARE || now === C.KANJI_4 || now === C.HANGUL_3) counts[RARE_BYTE]! += 1
        if (now === C.HIGH_SURROGATE && kind === C.LOW_SURROGATE) counts[RARE_BYTE]! += 1
        spaces = 0
        before = C.SPACE
      }
      kind = now
      const isRepeated = before === now && previous === unit
      if (now >= C.THAI && now <= C.SMALL_SYMBOL && now !== C.SYMBOL) {
        const isLone =
          (now === C.INDIC || now === C.OTHER_TWO_BYTES) && before === C.SPACE && lastKind === now && run === 1
        run = before === now ? run + 1 : 1
        const isLong = run > ORDINARY_RUN.word && run % 2 === 0 && now >= C.ARABIC
        if (isLone || isLong || isRepeated || (run > 1 && !C.isKnownPair(previous, unit))) {
          // A double letter occurs in words, three or more do not.
          counts[STRANGE]! += isLone || (isRepeated && run > 2) ? 2 : 1
          previous = unit
          continue
        }
      }
      switch (now) {
        case C.DIGIT:
          run = before === C.DIGIT ? run + 1 : 1
          if (run % 3 === 1) counts[DIGIT_THREE]! += 1
          if (before === C.LOWER) counts[MIXED]! += 1
          counts[DIGIT]! += 1
          break
        case C.PUNCTUATION:
          joins = before === C.LOWER || before === C.DIGIT
          run = before === C.PUNCTUATION ? run + 1 : 1
          counts[run === 1 ? PUNCTUATION : furtherSign(previous, unit, run)]! += 1
          if (run === 1) this.#unknown = Math.max(0, this.#unknown - MADE_UP_FOR)
          break
        case C.NEWLINE:
          run = before === C.NEWLINE ? run + 1 : 1
          if (run > ORDINARY_RUN.newlines && run % 4 === 0) counts[NEWLINE]! += 1
          else if (run > 1) counts[NEWLINE_MORE]! += 1
          else
            counts[
              before === C.PUNCTUATION || before === C.WIDE_PUNCTUATION || before === C.WIDE_MARK
                ? NEWLINE_AFTER
                : NEWLINE
            ]! += 1
          break
        case C.HIRAGANA:
        case C.KATAKANA: {
          const cut = before === now ? C.kanaCut(previous, unit) : 2
          run = isRepeated || cut < 2 ? run + 1 : 1
          if (isRepeated && run > 2) counts[KATAKANA]! += 1
          else if (cut === 2 || run > ORDINARY_RUN.tightKana) counts[now === C.HIRAGANA ? KANA : KATAKANA]! += 1
          else counts[cut === 1 ? KANA_LOOSE : KANA_TIGHT]! += 1
          break
        }
        case C.KANJI_1:
        case C.KANJI_2:
        case C.KANJI_3:
        case C.KANJI_4:
          run = before >= C.KANJI_1 && before <= C.KANJI_4 ? run + 1 : 1
          if (isRepeated && run > 2) counts[KANJI_4]! += 1
          else counts[run > HAN_RUN_MIN && now <= C.KANJI_2 ? HAN_RUN : KANJI_1 + now - C.KANJI_1]! += 1
          break
        case C.HANGUL_1:
        case C.HANGUL_2:
        case C.HANGUL_3:
          run = before >= C.HANGUL_1 && before <= C.HANGUL_3 ? run + 1 : 1
          counts[
            now === C.HANGUL_1 && (isRepeated || run > ORDINARY_RUN.syllables) ? HANGUL_2 : HANGUL_1 + now - C.HANGUL_1
          ]! += 1
          break
        case C.CYRILLIC:
          if (before !== C.CYRILLIC) counts[CYRILLIC_WORD]! += 1
          counts[CYRILLIC]! += 1
          break
        case C.ARABIC:
          if (before !== C.ARABIC) counts[ARABIC_WORD]! += 1
          counts[ARABIC]! += 1
          break
        case C.SYMBOL:
          counts[isRepeated && C.isLongRun(unit) ? SYMBOL_SAME : SYMBOL]! += 1
          break
        case C.WIDE_PUNCTUATION:
          counts[isRepeated ? WIDE_MARK : WIDE_PUNCTUATION]! += 1
          break
        case C.JOINER:
        case C.WIDE_MARK:
          if (isRepeated) counts[RARE_BYTE]! += 3
          else counts[PLAIN[now] as number]! += 1
          break
        case C.RARE:
          counts[RARE_BYTE]! += unit < FIRST_OF_TWO_BYTES ? 1 : unit < FIRST_OF_THREE_BYTES ? 2 : 3
          counts[EXPANDED_BYTE]! += C.expandedBytes(unit)
          break
        case C.HIGH_SURROGATE:
          break
        case C.LOW_SURROGATE:
          // Emoji and flags; the other characters with surrogates are old scripts and rare Han.
          counts[previous >= 0xd83c && previous <= 0xd83e && C.isKnownPicture(previous, unit) ? EMOJI : FOUR_BYTES]! +=
            1
          break
        default:
          counts[PLAIN[now] as number]! += 1
      }
      previous = unit
    }
    this.#kind = kind
    this.#unit = previous
    this.#run = run
    this.#spaces = spaces
    this.#joins = joins
  }
}

/** The feature of a sign after another sign: usual pairs and long runs are one token, others about one token per two signs. */
function furtherSign(previous: number, unit: number, run: number): number {
  const isSame = previous === unit
  if (isSame && C.isLongRun(unit)) return PUNCTUATION_SAME
  const isUsual = run <= ORDINARY_RUN.signs ? C.isKnownPair(previous, unit) : run % 2 === 0
  if (!isUsual) return PUNCTUATION
  return isSame ? PUNCTUATION_SAME : PUNCTUATION_MORE
}

function countSpaces(counts: Int32Array, spaces: number): void {
  counts[SPACES]! += 1
  counts[SPACES_MORE]! += spaces - 1
}

/** A percent-encoded byte, as in the address of a page with a Japanese name. */
function isEscape(text: string, index: number): boolean {
  return isHex(text.charCodeAt(index + 1)) && isHex(text.charCodeAt(index + 2))
}

const isHex = (unit: number): boolean => C.CLASS_OF[unit] === C.DIGIT || ((unit | 32) >= 0x61 && (unit | 32) <= 0x66)

function countLetters(counts: Int32Array, text: string, start: number, end: number): void {
  let three: number = C.NO_LETTERS
  let wasUpper = false
  let uncut = 0
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    const kind = C.CLASS_OF[unit] as number
    if (index > start + 1) counts[LETTER]! += 1
    uncut += 1
    if (kind === C.ACCENTED) {
      counts[ACCENTED]! += 1
      uncut = 0
      three = C.NO_LETTERS
    } else {
      three = ((three << C.LETTER_BITS) | (unit & C.LETTER)) & C.NO_LETTERS
      if (kind === C.UPPER) {
        counts[index === start ? CAPITAL : wasUpper ? CAPS : CAMEL]! += 1
        if (isFourth(text, index, start)) counts[CUT_1 + 1]! += 1
        else if (wasUpper && index - start > ORDINARY_RUN.capitals) counts[CAPS]! += 1
      } else {
        const cut = cutBefore(text, index, three, start, uncut)
        if (cut > 0) {
          counts[CUT_1 + cut - 1]! += 1
          uncut = 0
        }
      }
    }
    wasUpper = kind === C.UPPER
  }
}

/** The table of cuts holds only for ordinary words: a letter that is repeated, or a very long word, has more cuts. */
function cutBefore(text: string, index: number, three: number, start: number, uncut: number): number {
  if (isFourth(text, index, start)) return 2
  const beyond = index - start - ORDINARY_RUN.letters
  if (beyond < 0 || uncut < (beyond < ORDINARY_RUN.letters ? 4 : 3)) return C.LATIN_CUT[three] as number
  return beyond < ORDINARY_RUN.letters ? 2 : 3
}

/** Whether the letter at `index` is at least the fourth of the same in a row. */
function isFourth(text: string, index: number, start: number): boolean {
  const unit = text.charCodeAt(index)
  if (index - start < 3 || text.charCodeAt(index - 1) !== unit) return false
  return text.charCodeAt(index - 2) === unit && text.charCodeAt(index - 3) === unit
}
