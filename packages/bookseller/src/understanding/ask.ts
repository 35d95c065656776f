// The meaning of a shopper's message, in terms of the catalogue. `understand` derives it from the message alone, and
// `inContext` joins it with the earlier turns.
import type { Statements } from './statements.ts'

export interface Filters {
  readonly status?: 'completed' | 'running' | 'hiatus'
  readonly inStock?: true
  readonly volumesMax?: number
  readonly volumesMin?: number
  readonly priceYenMax?: number
  readonly priceYenMin?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly demographic?: string
  /** Suitable for children, whatever its readership. */
  readonly forChildren?: true
  /** The Japanese name of one author. */
  readonly author?: string
  /** Japanese names of magazines. */
  readonly magazines?: readonly string[]
}

export interface Wish {
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  /** Genres and moods that the shopper does not want. */
  readonly avoid: readonly string[]
  /** Japanese names of authors that the shopper does not want. */
  readonly avoidAuthors?: readonly string[]
  readonly filters: Filters
}

export type AskKind =
  | 'greeting'
  | 'thanks'
  | 'identity'
  | 'like'
  | 'compare'
  | 'price'
  | 'about'
  | 'recommend'
  | 'refine'
  | 'faq'
  | 'off-topic'
  | 'unknown'

/** A reference to series that were shown: "the second one", "that one", "all of them". */
export type Reference =
  | { readonly kind: 'ordinal'; readonly index: number }
  | { readonly kind: 'it' }
  | { readonly kind: 'all' }

/** How series are compared: by length or by price. */
export type Measure = 'shorter' | 'longer' | 'cheaper' | 'dearer'

/** The one fact that is asked about a series. */
export type Fact = 'author' | 'start' | 'status' | 'length' | 'price' | 'total'

/** Messages that are not just off topic, but need an answer of their own. */
export type Tone = 'abuse' | 'distress' | 'override'

export interface Ask {
  readonly kind: AskKind
  /** Ids of the series that were named, in the order of the message. */
  readonly mentioned: readonly string[]
  readonly wish: Wish
  readonly reference?: Reference
  /** "Shorter", "cheaper": compared with the series that were shown. */
  readonly than?: Measure
  /** "The shortest", "the cheaper of the two": among the series that were shown, or in the whole catalogue. */
  readonly most?: Measure
  readonly fact?: Fact
  /** Series that the shopper does not like: they are not shown, and similar ones are not sought. */
  readonly disliked?: readonly string[]
  /** What the shopper stated about themselves. */
  readonly statements?: Statements
  /** The message names a series that the catalogue does not have. */
  readonly hasUnknownName?: true
  readonly tone?: Tone
  /** The shopper wants other series than those that were shown. */
  readonly others?: true
  /** A few words with only a limit or a word of refinement: after a list they refine the list. */
  readonly bare?: true
  readonly faqId?: string
}

export const NO_WISH: Wish = { genres: [], moods: [], avoid: [], filters: {} }

export function isEmptyWish(wish: Wish): boolean {
  const { genres, moods, avoid, avoidAuthors = [], filters } = wish
  return genres.length + moods.length + avoid.length + avoidAuthors.length + Object.keys(filters).length === 0
}
