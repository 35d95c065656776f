// The last words of a shown text. A model is asked to repeat them before it continues: an exact repetition proves that the
// following text belongs to the shown one, and is skipped at the seam.
import { weightOf } from './repetition.ts'

/** More than the seam needs as proof, so that a model may leave out a word. */
const ANCHOR_WEIGHT_MIN = 36
/** The anchor may be this much longer, so that it begins with a whole word. */
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
