// The meaning of a shopper's message, in terms of the catalogue. `understand` derives it from the message alone, and
// `inContext` joins it with the earlier turns.
import type { Statements } from './statements.ts'

export interface Filters {
  readonly status?: 'completed' | 'running' | 'hiatus'
  readonly inStock?: true
  readonly volumesMax?: number
  readonly volumesMin?: number
  /** Of one volume. */
  readonly priceYenMax?: number
  readonly priceYenMin?: number
  /** Of all volumes together. */
  readonly totalYenMax?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly demographic?: string
  /** Suitable for children, whatever its readership. */
  readonly forChildren?: true
  /** The age of the reader: only series for that age; a series without a known age is not one. */
  readonly readerAge?: number
  /** The Japanese name of one author, as writer or artist. */
  readonly author?: string
  readonly writer?: string
  readonly artist?: string
  /** Japanese names of magazines and publishers. */
  readonly magazines?: readonly string[]
  readonly publishers?: readonly string[]
  readonly notMagazines?: readonly string[]
  readonly notPublishers?: readonly string[]
  readonly notDemographics?: readonly string[]
}

export interface Wish {
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  /** Genres, moods and content notes that the shopper does not want. */
  readonly avoid: readonly string[]
  /** Aspects in the shopper's own words that are no genre or mood: "a single father", 「雪山」. */
  readonly want?: readonly string[]
  /** The same, not wanted: "school stuff". */
  readonly avoidTexts?: readonly string[]
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
  const { genres, moods, avoid, avoidAuthors = [], want = [], avoidTexts = [], filters } = wish
  const lists = [genres, moods, avoid, avoidAuthors, want, avoidTexts, Object.keys(filters)]
  return lists.every((list) => list.length === 0)
}
