// Whether a sentence asks for a policy of the shop, and for no wish or fact of books.
import type { Reading } from '../../understanding/reading.ts'
import { actOf, hasWish } from '../act.ts'
import { factsIn } from '../asked-facts.ts'
import type { DialogueState } from '../state.ts'

export function asksPolicy(reading: Reading, state: DialogueState, words: string): boolean {
  const isFact = factsIn(words).some((fact) => fact === 'total' || fact === 'volumes' || fact === 'status')
  const isPolicy = reading.faq?.isSure === true || reading.faq?.isAsked === true
  return isPolicy && !isFact && !hasWish(reading) && actOf(reading, state, words) === 'faq'
}
