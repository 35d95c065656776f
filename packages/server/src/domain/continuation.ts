// The seam between what a reader has already been shown and what another attempt says after it. Either the attempt goes on
// (with or without saying the last words again), or it begins again from the start, or it tells it differently; only what is
// new is passed on, exactly once, and a different telling not at all. Used after a stream broke off.
import { holdBackHalfPair } from '#lib/graphemes.ts'

/**
 * A repetition counts as one from this weight on, with `DISTINCT_MIN` different characters. A wide character (kana, kanji)
 * weighs two, because it says about as much as two letters: five of the one or ten of the other are longer than what
 * writing doubles by itself (「いろいろ」, "very very"), and drawn-out sounds and rules (「ゴゴゴゴゴゴ」, "-----") have no variety.
 */
const REPETITION_WEIGHT_MIN = 10
const DISTINCT_MIN = 3
/** From this weight on, a common beginning is no accident: the attempt has begun again. Less will do if it is half of all. */
const RESTART_WEIGHT_MIN = 24

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

export interface Seam {
  /** Text of the new attempt as it comes; answers what of it is to be shown now. */
  push(delta: string): string
  /** The attempt has ended: what was still held back, or that none of it fits. */
  finish(): { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'mismatch' }
  /** From a mismatch on nothing is passed on, and the attempt can be stopped. */
  readonly state: 'undecided' | 'joined' | 'mismatch'
}

/**
 * Follows, one UTF-16 unit at a time, every place in the shown text that the new text could be repeating. What is undecided
 * is a passage of the shown text, so only its length is kept; and text is held back no longer than it repeats that passage
 * to the letter. Of several repetitions that reach the end the longest is believed.
 */
export function createSeam(shown: string): Seam {
  let state: Seam['state'] = shown === '' ? 'joined' : 'undecided'
  const isJoined = () => state === 'joined'
  /** Where in `shown` the new text, so far, may have begun, in order; 0 is a restart. */
  let starts = repetitionStarts(shown)
  /** How much is undecided, how much of that repeats the end of what was shown, and how much its beginning. */
  let length = 0
  let overlap = 0
  let commonStart = 0
  let halfPair = ''

  /** Takes one more unit into what is undecided; false when no passage goes on with it. */
  const follow = (unit: string): boolean => {
    const alive = starts.filter((start) => shown[start + length] === unit)
    if (alive.length === 0) return false
    starts = alive
    length += 1
    if (starts[0] === 0) commonStart = length
    if (starts.at(-1) === shown.length - length) overlap = length
    return true
  }
  /** Ends the waiting: the undecided text without what repeats. */
  const decide = (): string => {
    state = overlap === 0 && isRestart(shown, commonStart) ? 'mismatch' : 'joined'
    const start = starts[0] ?? 0
    return shown.slice(start + overlap, start + length)
  }
  const pass = (text: string): string => {
    const { whole, held } = holdBackHalfPair(halfPair + text)
    halfPair = held
    return whole
  }

  return {
    get state() {
      return state
    },
    push(delta) {
      if (state !== 'undecided') return state === 'joined' ? pass(delta) : ''
      for (let at = 0; at < delta.length; at += 1) {
        if (follow(delta.charAt(at))) continue
        const held = decide()
        return isJoined() ? pass(held + delta.slice(at)) : ''
      }
      return ''
    },
    finish() {
      const held = state === 'undecided' ? decide() : ''
      return isJoined() ? { kind: 'ok', text: halfPair + held } : { kind: 'mismatch' }
    },
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
function isRestart(shown: string, commonLength: number): boolean {
  const seen = profile()
  for (const character of shown.slice(0, commonLength)) add(seen, character)
  return isTelling(seen) && (seen.weight >= RESTART_WEIGHT_MIN || commonLength * 2 >= shown.length)
}

interface Profile {
  weight: number
  readonly characters: Set<string>
}

function profile(): Profile {
  return { weight: 0, characters: new Set() }
}

function add(seen: Profile, character: string): void {
  seen.weight += WIDE.test(character) ? 2 : 1
  seen.characters.add(character)
}

function isTelling({ weight, characters }: Profile): boolean {
  return weight >= REPETITION_WEIGHT_MIN && characters.size >= DISTINCT_MIN
}
