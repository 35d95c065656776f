// The key of a question in the answer cache: the language, the words, and everything that the answer is made from. It
// contains the retrieved products with price and stock instead of the number of the catalogue edition: each node numbers its
// editions by itself, and an answer must not outlive the stock that it mentions.
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
  /** The name of the route, which selects the models. */
  readonly route: string
}

/** Punctuation and spaces, except between two digits, where they matter: 1-3 is not 13, and 3.5 is not 35. */
const SIGNS = /(?<!\d)[\p{P}\p{Z}\s]+|[\p{P}\p{Z}\s]+(?!\d)|[\p{Z}\s]+/gu

/** Removes differences in width, case, punctuation and white space. */
export function normalisedQuestion(question: string): string {
  return fold(question).replaceAll(SIGNS, ' ').trim()
}

export function answerKey({ language, question, prompt, grounding, route }: AnswerKeyParts): string {
  // The grounding contains the interpreted question, so that punctuation that changes the meaning changes the key.
  // What is offered after the answer is not what it is made from.
  const { suggestions: _, ...madeFrom } = grounding
  const parts = [language, normalisedQuestion(question), prompt, madeFrom, route]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
