// Whether the shopper apologises for what was said before.
import { hasNamed, hasWish } from '../act.ts'
import type { Understood } from '../understood.ts'
import { isQuestion } from './fit-question.ts'

/** The shopper is sorry for what was said, and says nothing else. */
export function isApology({ reading, words, before, sentences = [] }: Understood): boolean {
  if (before.turns === 0 || hasWish(reading) || hasNamed(reading) || reading.faq?.isAsked === true) return false
  return SORRY.test(words) && words.length <= APOLOGY_LENGTH_MAX && !isQuestion(words) && sentences.length < 3
}

const APOLOGY_LENGTH_MAX = 60
const SORRY =
  /ごめん(?:なさい|ね|ー)?(?:$|[、。！!\s]|言い過ぎ)|言い過ぎ|口が悪かった|\b(?:i(?:'m| am) sorry|i apologi[sz]e|my bad)\b|^sorry\b.{0,12}\b(?:that was|i was|for|about)\b/iu
