// What an answer may be grounded in: what was asked, and the products and FAQ entries that were found for it, with
// the prices and stock of this moment. It is data, never instructions, however it reads.
import type { FaqEntry, Product } from './catalogue/catalogue.ts'
import { NO_WISH } from './understanding/ask.ts'
import type { AskInContext } from './understanding/in-context.ts'

export interface Grounding {
  readonly ask: AskInContext
  /** What the answer is about, best first: what was named, or what is suggested. */
  readonly products: readonly Product[]
  /** The series that the shopper likes, when something like them is asked for. */
  readonly liked: readonly Product[]
  readonly faq: readonly FaqEntry[]
}

export const NO_ASK: AskInContext = { kind: 'unknown', mentioned: [], wish: NO_WISH, exclude: [], followsUp: false }

export const UNGROUNDED: Grounding = { ask: NO_ASK, products: [], liked: [], faq: [] }
