// Finds an exact repetition of the shown text in a new attempt: of its last words, or of all of it from the beginning. Works by
// single UTF-16 units, so that the division of the text into deltas makes no difference.

/**
 * The minimum weight of a repetition, which also needs `DISTINCT_MIN` different characters. A wide character (kana, kanji) weighs
 * two, because it says about as much as two letters. Five wide characters or ten letters are longer than normal doublings
 * (「いろいろ」, "very very"); drawn-out sounds and rules (「ゴゴゴゴゴゴ」, "-----") have too few different characters.
 */
const REPETITION_WEIGHT_MIN = 10
const DISTINCT_MIN = 3
/**
 * A common beginning of this weight is a restart of the attempt. Less is enough if it is half of the shown text, or if the text
 * broke off within a sentence: a continuation there does not begin like the answer, except by a short name.
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
  /** Takes the next unit; false once no passage of the shown text continues with it. */
  follow(unit: string, at: number): boolean
  /** The length of the new text that repeats the end of the shown text; the longest of several. */
  repeated(): number
  isRestart(isWithinSentence: boolean): boolean
}

/** Follows the new text from its unit `from` on as a repetition of the shown text. */
export function repetitionOf(shown: string, from: number): Repetition {
  /** Possible starts of the repetition in `shown`, in order; 0 is a restart. */
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

/** Every position from which the rest of `shown` is long enough for a repetition; always includes the beginning. */
function repetitionStarts(shown: string): readonly number[] {
  let last = shown.length
  const seen = profile()
  for (const character of [...shown].reverse()) {
    if (isSignificant(seen)) break
    add(seen, character)
    last -= character.length
  }
  return Array.from({ length: isSignificant(seen) ? last + 1 : 1 }, (_, start) => start)
}

/** Whether a common beginning of this length means that the attempt started again. */
function isRestart(shown: string, commonLength: number, isWithinSentence: boolean): boolean {
  const seen = profile()
  for (const character of shown.slice(0, commonLength)) add(seen, character)
  const weightMin = isWithinSentence ? RESTART_WITHIN_SENTENCE_WEIGHT_MIN : RESTART_WEIGHT_MIN
  return isSignificant(seen) && (seen.weight >= weightMin || commonLength * 2 >= shown.length)
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

function isSignificant({ weight, characters }: Profile): boolean {
  return weight >= REPETITION_WEIGHT_MIN && characters.size >= DISTINCT_MIN
}
