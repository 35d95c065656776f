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
/**
 * From this weight on, a common beginning is no accident: the attempt has begun again. Less will do if it is half of all, or
 * if the words broke off within a sentence: what goes on there does not begin as the answer did, save by a short name.
 */
const RESTART_WEIGHT_MIN = 24
const RESTART_WITHIN_SENTENCE_WEIGHT_MIN = 14

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
/** What a model puts before the words that it says again. */
const LEAD_IN = /[\s…⋯]/u
const SENTENCE_END = /(?:[。．.!?！？…♪:：」』）)\]}>*|]\s*|\n\s*)$/u
/** Nobody goes on with these: they begin another answer, or talk about it. */
const OPENINGS = [
  'お問い合わせありがとう',
  'お問い合わせいただき',
  'ご質問ありがとう',
  'ご質問いただき',
  'ご質問にお答え',
  'はい、お答え',
  '承知しました',
  '承知いたしました',
  'かしこまりました',
  '続きです',
  '続きを書',
  'Thank you for asking',
  'Thank you for your question',
  'Thanks for your question',
  'Thanks for asking',
  'Great question',
  'Good question',
  'Continuing from',
  'Here is the rest',
  'Here is the continuation',
] as const
/** Nor with these within a sentence; after one they may be words like any other. */
const OPENINGS_OF_SENTENCES = [
  'はい、',
  'もちろんです',
  'こんにちは',
  'Certainly',
  'Sure,',
  'Sure!',
  'Of course',
  'Here is',
  'Here’s',
  "Here's",
  'Happy to help',
  'Hello',
  'Yes,',
  'Okay,',
  'I apologize',
  'I’m sorry',
  "I'm sorry",
] as const

export interface Seam {
  /** Text of the new attempt as it comes; answers what of it is to be shown now. */
  push(delta: string): string
  /** The attempt has ended: what was still held back, or that none of it fits. */
  finish(): { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'mismatch' }
  /** From a mismatch on nothing is passed on, and the attempt can be stopped. */
  readonly state: 'undecided' | 'joined' | 'mismatch'
}

/** Nothing was shown, or the model was given the shown words as its own beginning: all that it says is new. */
export const JOINED: Seam = {
  state: 'joined',
  push: (delta) => delta,
  finish: () => ({ kind: 'ok', text: '' }),
}

/** Passes on what follows exactly the shown words, said again from the beginning; the first other unit is a mismatch. */
export function createExactSeam(shown: string): Seam {
  let said = 0
  let isOther = false
  const state = () => (isOther ? 'mismatch' : said < shown.length ? 'undecided' : 'joined')
  return {
    get state() {
      return state()
    },
    push(delta) {
      if (isOther) return ''
      const expected = shown.slice(said, said + delta.length)
      isOther = !delta.startsWith(expected)
      said += expected.length
      return isOther ? '' : delta.slice(expected.length)
    },
    finish: () => (state() === 'joined' ? { kind: 'ok', text: '' } : { kind: 'mismatch' }),
  }
}

/**
 * Follows, one UTF-16 unit at a time, every place in the shown text that the new text could be repeating, from its first unit
 * on and from behind its lead-in. Text is held back no longer than it repeats such a passage, or an opening, to the letter.
 */
export function createSeam(shown: string): Seam {
  let state: Seam['state'] = shown === '' ? 'joined' : 'undecided'
  const isJoined = () => state === 'joined'
  const isWithinSentence = !SENTENCE_END.test(shown)
  const readings = [readingOf(shown, 0)]
  let openings: readonly string[] = isWithinSentence ? [...OPENINGS, ...OPENINGS_OF_SENTENCES] : OPENINGS
  let hasOpening = false
  let held = ''
  let leadLength = 0
  let halfPair = ''

  const followOpening = (unit: string, at: number): boolean => {
    openings = openings.filter((opening) => opening[at] === unit)
    hasOpening ||= openings.some((opening) => opening.length === at + 1)
    return openings.some((opening) => opening.length > at + 1)
  }
  /** Takes one more unit into what is undecided; false when that can be decided now. */
  const follow = (unit: string): boolean => {
    const at = held.length
    held += unit
    const isLead = at === leadLength && LEAD_IN.test(unit)
    if (isLead) leadLength += 1
    else if (at === leadLength && at > 0) readings.push(readingOf(shown, at))
    const goesOn = readings.map((reading) => reading.follow(unit, at))
    return (!isLead && followOpening(unit, at - leadLength)) || isLead || goesOn.includes(true)
  }
  /** Ends the waiting: the undecided text without what repeats. */
  const decide = (): string => {
    const repeated = readings.map((reading) => reading.repeated()).find((length) => length > 0) ?? 0
    const isAnew = hasOpening || readings.some((reading) => reading.isRestart(isWithinSentence))
    state = repeated === 0 && isAnew ? 'mismatch' : 'joined'
    return held.slice(repeated)
  }
  const pass = (text: string): string => {
    const { whole, held: half } = holdBackHalfPair(halfPair + text)
    halfPair = half
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
        const rest = decide()
        return isJoined() ? pass(rest + delta.slice(at + 1)) : ''
      }
      return ''
    },
    finish() {
      const rest = state === 'undecided' ? decide() : ''
      return isJoined() ? { kind: 'ok', text: halfPair + rest } : { kind: 'mismatch' }
    },
  }
}

interface Reading {
  /** False once no passage of the shown text goes on with it. */
  follow(unit: string, at: number): boolean
  /** How much of the new text is over with the end of what was shown; of several such the longest is believed. */
  repeated(): number
  isRestart(isWithinSentence: boolean): boolean
}

/** The new text from its unit `from` on, as a repetition of what was shown. */
function readingOf(shown: string, from: number): Reading {
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
  seen.weight += WIDE.test(character) ? 2 : 1
  seen.characters.add(character)
}

function isTelling({ weight, characters }: Profile): boolean {
  return weight >= REPETITION_WEIGHT_MIN && characters.size >= DISTINCT_MIN
}
