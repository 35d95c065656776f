// The last words of a shown text, which a model is asked to say again before it continues: said to the letter they prove that
// what follows belongs, and they are skipped at the seam.
import { weightOf } from './repetition.ts'

/** Above what the seam takes for proof, so that a model may leave out a word of it. */
const ANCHOR_WEIGHT_MIN = 36
/** To begin with a whole word it may be this much longer. */
const WORD_UNITS_MAX = 16
const BOUNDARY = /[\s、。，．,.!?！？:：;]/u

export function anchorOf(shown: string): string {
  let [from, weight] = [shown.length, 0]
  for (const character of [...shown].reverse()) {
    if (weight >= ANCHOR_WEIGHT_MIN) break
    from -= character.length
    weight += weightOf(character)
  }
  for (let start = from; start > Math.max(0, from - WORD_UNITS_MAX); start -= 1)
    if (BOUNDARY.test(shown.charAt(start - 1))) return shown.slice(start)
  return from <= WORD_UNITS_MAX ? shown : shown.slice(from)
}
