// What an answer may be grounded in: the products and FAQ entries that were found for the question, with the
// prices and stock of this moment. It is data, never instructions, however it reads.
import type { FaqEntry, Product } from './catalogue.ts'

export type Intent = 'greeting' | 'thanks' | 'faq' | 'recommend' | 'unknown'

export interface Grounding {
  readonly intent: Intent
  /** Best first. */
  readonly products: readonly Product[]
  readonly faq: readonly FaqEntry[]
}

export const UNGROUNDED: Grounding = { intent: 'unknown', products: [], faq: [] }
