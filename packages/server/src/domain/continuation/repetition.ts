// Words of the shown text that an attempt says again, to the letter: its last ones, or all of it from the beginning. Followed
// one UTF-16 unit at a time, so that it makes no difference how the text was cut into deltas.

/**
 * A repetition counts as one from this weight on, with `DISTINCT_MIN` different characters. A wide character (kana, kanji)
 * weighs two, because it says about as much as two letters: five of the one or ten of the other are longer than what
 * writing doubles by itself (「いろいろ」, "very very"), and drawn-out sounds and rules (「ゴゴゴゴゴゴ」, "-----") have no variety.
 */
const REPETITION_WEIGHT_MIN = 10
const DISTINCT_MIN = 3
/**
 * From this weight on, a common beginning is no accident: the attempt has begun again. Less will do if it is half of all, or
 * if the words broke off within a sentence: what continues there does not begin as the answer did, save by a short name.
 */
const RESTART_WEIGHT_MIN = 24
const RESTART_WITHIN_SENTENCE_WEIGHT_MIN = 14

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

export function weightOf(text: string): number {
  let weight = 0
  for (const character of text) weight += WIDE.test(character) ? 2 : 1
  return weight
}

export interface Repetition {
  /** False once no passage of the shown text continues with it. */
  follow(unit: string, at: number): boolean
  /** How much of the new text is over with the end of what was shown; of several such the longest is believed. */
  repeated(): number
  isRestart(isWithinSentence: boolean): boolean
}

/** The new text from its unit `from` on, as a repetition of what was shown. */
export function repetitionOf(shown: string, from: number): Repetition {
  /** Where in `shown` it may have begun, in order; 0 is a restart. */
  let starts = repetitionStarts(shown)
  let overlap = 0
  let commonStart = 0
  return {
    follow(unit, at) {
      const length = at - from + 1
      starts = starts.filter((start) => shown[start + length - 1] === unit)
      if (starts[0] === 0) commonStart = length
      if (starts.length > 0 && starts.at(-1) === shown.length - length) overlap = length
      return starts.length > 0
    },
    repeated: () => (overlap === 0 ? 0 : from + overlap),
    isRestart: (isWithinSentence) => isRestart(shown, commonStart, isWithinSentence),
  }
}

/** Every place from which the rest of `shown` is long enough to be known again; its beginning always is. */
function repetitionStarts(shown: string): readonly number[] {
  let last = shown.length
  const seen = profile()
  for (const character of [...shown].reverse()) {
    if (isTelling(seen)) break
    add(seen, character)
    last -= character.length
  }
  return Array.from({ length: isTelling(seen) ? last + 1 : 1 }, (_, start) => start)
}

/** Whether that much of a common beginning means that the attempt began again. */
function isRestart(shown: string, commonLength: number, isWithinSentence: boolean): boolean {
  const seen = profile()
  for (const character of shown.slice(0, commonLength)) add(seen, character)
  const weightMin = isWithinSentence ? RESTART_WITHIN_SENTENCE_WEIGHT_MIN : RESTART_WEIGHT_MIN
  return isTelling(seen) && (seen.weight >= weightMin || commonLength * 2 >= shown.length)
}

interface Profile {
  weight: number
  readonly characters: Set<string>
}

function profile(): Profile {
  return { weight: 0, characters: new Set() }
}

function add(seen: Profile, character: string): void {
  seen.weight += weightOf(character)
  seen.characters.add(character)
}

function isTelling({ weight, characters }: Profile): boolean {
  return weight >= REPETITION_WEIGHT_MIN && characters.size >= DISTINCT_MIN
}
