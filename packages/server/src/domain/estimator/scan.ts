// Counts the features of a text in one pass, without a regular expression or an allocation. A scan can be continued: a text
// that comes in pieces is counted as the whole would be, wherever it is cut.
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
const HANGUL_1 = at('hangul1')
const CYRILLIC = at('cyrillic')
const CYRILLIC_WORD = at('cyrillicWord')
const ARABIC = at('arabic')
const ARABIC_WORD = at('arabicWord')
const FOUR_BYTES = at('fourBytes')
const EMOJI = at('emoji')
const SYMBOL = at('symbol')
const SYMBOL_SAME = at('symbolSame')

const PERCENT = 0x25
/** No class: before the first character. */
const NOTHING = 255
/** Usual Han in a longer run than this are a text without kana: Chinese, whose words are other ones. */
const HAN_RUN_MIN = 4
/** A word longer than this is taken to end where a piece ends: nothing that long is a word. */
const OPEN_WORD_MAX = 64

/** Of the classes whose characters count alike wherever they stand: the feature that each adds to. */
const PLAIN: Uint8Array = plainFeatures()

function plainFeatures(): Uint8Array {
  const features = new Uint8Array(C.CLASSES)
  const pairs: readonly (readonly [number, Feature])[] = [
    [C.OTHER, 'threeBytes'],
    [C.TAB, 'tab'],
    [C.HALF_KANA, 'halfKana'],
    [C.HALF_MARK, 'halfMark'],
    [C.WIDE_PUNCTUATION, 'widePunctuation'],
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
  /** Class and unit of the last character that was no space, the length of its run, and the spaces after it. */
  #kind = NOTHING
  #unit = 0
  #run = 0
  #spaces = 0
  /** Whether it is a single sign right after a word or a figure, which the next word may be joined by. */
  #joins = false
  /** The beginning of a word or of an escape that the next piece may go on with; not counted yet. */
  #open = ''

  add(text: string): void {
    this.#read(this.#open === '' ? text : this.#open + text, false)
  }

  /** What was counted, as though the text ended here. */
  counts(): Int32Array {
    const whole = new Scan()
    whole.#counts.set(this.#counts)
    whole.#kind = this.#kind
    whole.#spaces = this.#spaces
    whole.#joins = this.#joins
    whole.#read(this.#open, true)
    if (whole.#spaces > 0) countSpaces(whole.#counts, whole.#spaces)
    return whole.#counts
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
        // Its end and its hash in one go, in lower case or with one capital at its beginning.
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
        if (!C.isCommon(hash)) countLetters(counts, text, index, end)
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
      let before = kind
      if (spaces > 0) {
        if (now === C.DIGIT) counts[SPACE_DIGIT]! += 1
        else if (now > C.PUNCTUATION && now < C.CYRILLIC) counts[SPACE_OTHER]! += 1
        if (spaces > 1 || now === C.NEWLINE) countSpaces(counts, spaces)
        spaces = 0
        before = C.SPACE
      }
      kind = now
      switch (now) {
        case C.DIGIT:
          run = before === C.DIGIT ? run + 1 : 1
          if (run % 3 === 1) counts[DIGIT_THREE]! += 1
          if (before === C.LOWER) counts[MIXED]! += 1
          counts[DIGIT]! += 1
          break
        case C.PUNCTUATION:
          joins = before === C.LOWER || before === C.DIGIT
          if (before !== C.PUNCTUATION) counts[PUNCTUATION]! += 1
          else counts[previous === unit ? PUNCTUATION_SAME : PUNCTUATION_MORE]! += 1
          break
        case C.NEWLINE:
          if (before === C.NEWLINE) counts[NEWLINE_MORE]! += 1
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
          if (cut === 2) counts[now === C.HIRAGANA ? KANA : KATAKANA]! += 1
          else counts[cut === 1 ? KANA_LOOSE : KANA_TIGHT]! += 1
          break
        }
        case C.KANJI_1:
        case C.KANJI_2:
        case C.KANJI_3:
        case C.KANJI_4:
          run = before >= C.KANJI_1 && before <= C.KANJI_4 ? run + 1 : 1
          counts[run > HAN_RUN_MIN && now <= C.KANJI_2 ? HAN_RUN : KANJI_1 + now - C.KANJI_1]! += 1
          break
        case C.HANGUL_1:
        case C.HANGUL_2:
        case C.HANGUL_3:
          counts[HANGUL_1 + now - C.HANGUL_1]! += 1
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
          counts[before === C.SYMBOL && previous === unit ? SYMBOL_SAME : SYMBOL]! += 1
          break
        case C.HIGH_SURROGATE:
          // Pictures and flags; what else lies there is old scripts and rare Han.
          counts[unit >= 0xd83c && unit <= 0xd83e ? EMOJI : FOUR_BYTES]! += 1
          break
        case C.LOW_SURROGATE:
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

function countSpaces(counts: Int32Array, spaces: number): void {
  counts[SPACES]! += 1
  counts[SPACES_MORE]! += spaces - 1
}

/** A percent sign and two digits of a byte, as in the address of a page with a Japanese name. */
function isEscape(text: string, index: number): boolean {
  return isHex(text.charCodeAt(index + 1)) && isHex(text.charCodeAt(index + 2))
}

const isHex = (unit: number): boolean => C.CLASS_OF[unit] === C.DIGIT || ((unit | 32) >= 0x61 && (unit | 32) <= 0x66)

function countLetters(counts: Int32Array, text: string, start: number, end: number): void {
  let three: number = C.NO_LETTERS
  let wasUpper = false
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    const kind = C.CLASS_OF[unit] as number
    if (index > start + 1) counts[LETTER]! += 1
    if (kind === C.ACCENTED) {
      counts[ACCENTED]! += 1
      three = C.NO_LETTERS
    } else {
      three = ((three << C.LETTER_BITS) | (unit & C.LETTER)) & C.NO_LETTERS
      if (kind === C.UPPER) {
        counts[index === start ? CAPITAL : wasUpper ? CAPS : CAMEL]! += 1
      } else {
        const cut = C.LATIN_CUT[three] as number
        if (cut > 0) counts[CUT_1 + cut - 1]! += 1
      }
    }
    wasUpper = kind === C.UPPER
  }
}
