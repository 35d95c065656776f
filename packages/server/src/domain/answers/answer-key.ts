// What makes two questions the same for the cache of answers: the language, the words, and everything that the answer is
// made from. The shelves are in it as they were retrieved, price and stock included, rather than by the number of their
// edition: nodes count their editions apart, and an answer must not outlive the stock it speaks of.
import { createHash } from 'node:crypto'
import type { Language } from '@mangaassist/protocol'
import { fold } from '@mangaassist/bookseller/text/words'
import type { Grounding } from '@mangaassist/bookseller/grounding'

export interface AnswerKeyParts {
  readonly language: Language
  readonly question: string
  /** The system prompt and the settings that shape an answer. */
  readonly prompt: string
  readonly grounding: Grounding
  /** Which way through the models was chosen, by name. */
  readonly route: string
}

/** Between two digits a sign means something: 1-3 is not 13, and 3.5 is not 35. */
const SIGNS = /(?<!\d)[\p{P}\p{Z}\s]+|[\p{P}\p{Z}\s]+(?!\d)|[\p{Z}\s]+/gu

/** Width, case, punctuation and white space do not make another question. */
export function normalisedQuestion(question: string): string {
  return fold(question).replaceAll(SIGNS, ' ').trim()
}

export function answerKey({ language, question, prompt, grounding, route }: AnswerKeyParts): string {
  // What was understood is in it too, so that a sign that changes the meaning changes the key.
  const parts = [language, normalisedQuestion(question), prompt, grounding, route]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
