// The data that an answer may be made from: the question as understood, and the products and FAQ entries that were
// found for it, with current prices and stock. It is data, never instructions, whatever its text says.
import type { Suggestion } from '@mangaassist/protocol'
import type { FaqEntry, Product } from './catalogue/catalogue.ts'
import { NO_WISH } from './understanding/ask.ts'
import type { AskInContext } from './understanding/in-context.ts'

export interface Grounding {
  readonly ask: AskInContext
  /** The products that the answer is about, best first: those that were named, or those to suggest. */
  readonly products: readonly Product[]
  /** The series that the shopper likes, when the question asks for something similar. */
  readonly liked: readonly Product[]
  readonly faq: readonly FaqEntry[]
  /** Follow-ups to offer with the answer, the most likely first. */
  readonly suggestions?: readonly Suggestion[]
}

export const NO_ASK: AskInContext = { kind: 'unknown', mentioned: [], wish: NO_WISH, exclude: [], followsUp: false }

export const UNGROUNDED: Grounding = { ask: NO_ASK, products: [], liked: [], faq: [] }
