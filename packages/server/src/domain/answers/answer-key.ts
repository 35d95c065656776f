// The key of a question in the answer cache: the language, the words, and everything that the answer is made from: the edition of
// the catalogue, by content and without prices and stock, which change often; and the retrieved products with price and stock,
// because an answer must not outlive the stock that it mentions.
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
  /** The digest of the catalogue's facts and FAQ. */
  readonly edition: string
  /** The name of the route, which selects the models. */
  readonly route: string
}

/** Punctuation and spaces, except between two digits, where they matter: 1-3 is not 13, and 3.5 is not 35. */
const SIGNS = /(?<!\d)[\p{P}\p{Z}\s]+|[\p{P}\p{Z}\s]+(?!\d)|[\p{Z}\s]+/gu

/** Removes differences in width, case, punctuation and white space. */
export function normalisedQuestion(question: string): string {
  return fold(question).replaceAll(SIGNS, ' ').trim()
}

export function answerKey({ edition, language, question, prompt, grounding, route }: AnswerKeyParts): string {
  // The grounding contains the interpreted question, so that punctuation that changes the meaning changes the key.
  const { intent, reading, state, relaxed, isUnsure, shop, products, liked, faq } = grounding
  // Listed, because the order of the fields must not change the key.
  const made = [intent, reading, state, relaxed, isUnsure, shop, grounding.language, products, liked, faq]
  const parts = [language, normalisedQuestion(question), prompt, made, edition, route]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
