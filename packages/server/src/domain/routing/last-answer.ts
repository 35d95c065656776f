// What the next question shows about the previous answer: whether the shopper complains or asks again. Pure.
import type { Meant } from '@mangaassist/bookseller/grounding'
import { wordTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Act } from '@mangaassist/bookseller/understanding/reading'
import { questionWords } from '@mangaassist/bookseller/understanding/question-words'
import type { Received, TurnRecord } from '../turn-records/turn-record.ts'
import type { Escalation } from './route-choice.ts'

export interface NextQuestion {
  readonly message: string
  readonly meant: Pick<Meant, 'intent' | 'reading' | 'isProtest'>
}

/** The same words may be sent twice without asking again: "yes", "more of those". */
const REPEATABLE: ReadonlySet<Act> = new Set(['yes', 'no', 'choose', 'buy', 'greet', 'thanks', 'bye', 'smalltalk'])

/** Whether the message says that the answer before it was no good. "As I said before" alone is no complaint. */
export function isComplaintAboutAnswer({ intent, reading, isProtest }: NextQuestion['meant']): boolean {
  const isGrievance = intent.kind === 'complaint' && intent.grievance === 'answer'
  const isCross = [reading.act, reading.otherwise].includes('complaint')
  return isGrievance || reading.grievances.includes('answer') || (isProtest === true && isCross)
}

/** Forms of politeness, which a question may gain or lose when it is repeated. */
const POLITE = /^(?=\p{Script=Hiragana}+$)(?:ありま$|.*(?:ます|ませ|まし|です|でし|ださい))/u

const termsOf = (text: string) => new Set(wordTerms(text).filter((term) => !POLITE.test(term)))

/** Whether the question is the last one again: the same words, without regard to their order, small words and signs. */
export function repeatsQuestion({ message, meant }: NextQuestion, last: string): boolean {
  const { act, changes } = meant.reading
  if (REPEATABLE.has(act) || changes.length > 0) return false
  if (questionWords(message) === questionWords(last)) return true
  const [terms, before] = [termsOf(message), termsOf(last)]
  return terms.size > 0 && terms.size === before.size && [...terms].every((term) => before.has(term))
}

/** Why the answer before did not serve, by the next question: it complains, or asks the same again. */
export function escalationBy(next: NextQuestion, last: string): Escalation | undefined {
  if (isComplaintAboutAnswer(next.meant)) return 'complaint'
  return repeatsQuestion(next, last) ? 'asked-again' : undefined
}

/** What the next question adds to the reception of the answer before it. */
export function receptionBy(next: NextQuestion, last: string): Omit<Received, 'feedback'> {
  return {
    followedUp: true,
    ...(escalationBy(next, last) === undefined ? {} : { askedAgain: true }),
    ...(next.meant.intent.kind === 'person' ? { handedOver: true } : {}),
  }
}

/** Why the answer before did not serve, by its record. */
export function faultIn({ mismatches, received }: Pick<TurnRecord, 'mismatches' | 'received'>): Escalation | undefined {
  if (received.feedback?.value === 'down') return 'thumb-down'
  return mismatches.length > 0 ? 'mismatch' : undefined
}
