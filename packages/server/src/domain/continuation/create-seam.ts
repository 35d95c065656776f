// The seam of a shopper's answer: an exact repetition of shown words is skipped, and the text after it must belong to the shown
// one. It decides by the first sentence or two, which it holds back until then, or by all of a shorter text.
import { holdBackHalfPair } from '#lib/text/graphemes.ts'
import { belongs } from './belongs.ts'
import { cutOf } from './cut.ts'
import { repeatedWordsLength } from './repeated-words.ts'
import { repetitionOf, weightOf } from './repetition.ts'
import type { Seam } from './seam.ts'

/** Characters that a model may put before the words that it repeats. */
const LEAD_IN = /[\s…⋯]/u
/** Text is held back up to this weight, about 160 letters or 80 kana, or to the end of a sentence past the minimum below. */
const HELD_WEIGHT_MAX = 160
const HELD_SENTENCE_WEIGHT_MIN = 100
const SENTENCE_END = /[。！？\n]|[.!?]\s/u
/** A repetition of this weight proves that the rest continues the shown text; a shorter one may be a common name. */
const PROOF_WEIGHT_MIN = 24

export interface SeamOf {
  readonly shown: string
  readonly question: string
  /** The model got the shown text as the beginning of its own answer. */
  readonly isPrefilled?: boolean
}

export function createSeam({ shown, question, isPrefilled = false }: SeamOf): Seam {
  let state: Seam['state'] = shown === '' ? 'joined' : 'undecided'
  const isJoined = () => state === 'joined'
  const repetitions = [repetitionOf(shown, 0)]
  let isRepeating = true
  let again = ''
  let held = ''
  let leadLength = 0
  let weight = 0
  let halfPair = ''

  /** Takes one more unit as part of a repetition; false when it is not or no longer one. */
  const repeats = (unit: string): boolean => {
    const at = held.length - 1
    const isLead = at === leadLength && LEAD_IN.test(unit)
    if (isLead) leadLength += 1
    else if (at === leadLength && at > 0) repetitions.push(repetitionOf(shown, at))
    const continues = repetitions.map((repetition) => repetition.follow(unit, at))
    return isLead || continues.includes(true)
  }
  const skip = (length: number): void => {
    again = held.slice(0, length)
    held = held.slice(length)
  }
  /** Ends the repetition: skips it, refuses a restart that differs, or leaves the text to `judge`. */
  const endRepetition = (): void => {
    isRepeating = false
    const repeated = repetitions.map((repetition) => repetition.repeated()).find((length) => length > 0) ?? 0
    const isWithin = cutOf(shown).place === 'within'
    if (repeated > 0) {
      skip(repeated)
      if (again.length >= shown.length || weightOf(again) >= PROOF_WEIGHT_MIN) state = 'joined'
    } else if (repetitions.some((repetition) => repetition.isRestart(isWithin))) state = 'mismatch'
    weight = weightOf(held)
  }
  const judge = (): void => {
    if (again === '') skip(repeatedWordsLength(shown, held))
    state = belongs({ question, shown, said: held, again, isPrefilled }) ? 'joined' : 'mismatch'
  }
  /** Adds one more unit to the undecided text. */
  const take = (unit: string): void => {
    held += unit
    if (isRepeating) {
      if (!repeats(unit)) endRepetition()
      return
    }
    weight += weightOf(unit)
    const isSentence = weight >= HELD_SENTENCE_WEIGHT_MIN && SENTENCE_END.test(held.slice(-2))
    if (isSentence || weight >= HELD_WEIGHT_MAX) judge()
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
        take(delta.charAt(at))
        if (state === 'undecided') continue
        return isJoined() ? pass(held + delta.slice(at + 1)) : ''
      }
      return ''
    },
    finish() {
      const wasUndecided = state === 'undecided'
      if (isRepeating && wasUndecided) endRepetition()
      if (state === 'undecided') judge()
      return isJoined() ? { kind: 'ok', text: halfPair + (wasUndecided ? held : '') } : { kind: 'mismatch' }
    },
  }
}
