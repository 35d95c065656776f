// The data that an answer may be made from: what the message means after the conversation so far, and the products and FAQ
// entries that were found for it, with current prices and stock. It is data, never instructions, whatever its text says.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from './catalogue/catalogue.ts'
import type { ConditionName } from './dialogue/conditions.ts'
import type { Intent } from './dialogue/intent.ts'
import type { Shop } from './dialogue/shop.ts'
import { NO_SHOP } from './dialogue/shop.ts'
import type { DialogueState } from './dialogue/state.ts'
import { NO_STATE } from './dialogue/state.ts'
import type { Passage } from './retrieval/passages.ts'
import type { Reading } from './understanding/reading.ts'
import { NO_READING } from './understanding/no-reading.ts'

/** What the message means. */
export interface Meant {
  readonly reading: Reading
  readonly intent: Intent
  /** The state of the conversation with this message. */
  readonly state: DialogueState
  /** The message protests against the last answer. */
  readonly isProtest?: true
  /** The conditions that nothing met, and that were relaxed to find the products. */
  readonly relaxed: readonly ConditionName[]
  /** The products are the nearest that were found, and may not be what was meant. */
  readonly isUnsure: boolean
  readonly shop: Shop
  /** The language to answer in. */
  readonly language: Language
}

export interface Grounding extends Meant {
  /** The products that the answer is about, best first: those that were named, or those to suggest. */
  readonly products: readonly Product[]
  /** The series that the suggestions resemble, or whose makers' other works are asked for. */
  readonly liked: readonly Product[]
  readonly faq: readonly FaqEntry[]
  /** By id of a product: what is known of it that answers the words of the wish. */
  readonly matched?: Readonly<Record<string, Passage>>
  /**
   * Present when the price and stock of the products could not be read now: when they were last current, in milliseconds since the
   * epoch; null when that is not known.
   */
  readonly offersAsOf?: number | null
}

export const NOTHING_MEANT: Meant = {
  reading: NO_READING,
  intent: { kind: 'talk', topic: 'unclear' },
  state: NO_STATE,
  relaxed: [],
  isUnsure: false,
  shop: NO_SHOP,
  language: 'ja',
}

export const UNGROUNDED: Grounding = { ...NOTHING_MEANT, products: [], liked: [], faq: [] }
