// What a shopper is asking for, in the words of the shelves. Made from the message alone by `understand`, and
// joined with what was said before by `inContext`.
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
  /** Fit for children, whatever readership it was drawn for. */
  readonly forChildren?: true
  /** One author's Japanese name. */
  readonly author?: string
  /** Japanese names of the magazines that were meant. */
  readonly magazines?: readonly string[]
}

export interface Wish {
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  /** Genres and moods that were asked to be left out. */
  readonly avoid: readonly string[]
  /** Japanese names of authors that were asked to be left out. */
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

/** Something shown before: the second one, that one, all of them. */
export type Reference =
  | { readonly kind: 'ordinal'; readonly index: number }
  | { readonly kind: 'it' }
  | { readonly kind: 'all' }

/** Shorter, cheaper: how series are measured against each other. */
export type Measure = 'shorter' | 'longer' | 'cheaper' | 'dearer'

/** The one thing that is asked about a series. */
export type Fact = 'author' | 'start' | 'status' | 'length' | 'price' | 'total'

/** What is neither about manga nor merely about something else, and wants an answer of its own. */
export type Tone = 'abuse' | 'distress' | 'override'

export interface Ask {
  readonly kind: AskKind
  /** Ids of the series that were named, in their order. */
  readonly mentioned: readonly string[]
  readonly wish: Wish
  readonly reference?: Reference
  /** Shorter, cheaper: than what was shown. */
  readonly than?: Measure
  /** The shortest, the cheaper of the two: of those shown, or of the shelf. */
  readonly most?: Measure
  readonly fact?: Fact
  /** Named as not liked: neither a model for others nor to be shown. */
  readonly disliked?: readonly string[]
  /** What the shopper said about themselves. */
  readonly statements?: Statements
  /** A name was said that is none of ours. */
  readonly hasUnknownName?: true
  readonly tone?: Tone
  /** Something other than what was shown. */
  readonly others?: true
  /** A limit of its own or a word of refinement, in a few words: after a list it refines the list. */
  readonly bare?: true
  readonly faqId?: string
}

export const NO_WISH: Wish = { genres: [], moods: [], avoid: [], filters: {} }

export function isEmptyWish(wish: Wish): boolean {
  const { genres, moods, avoid, avoidAuthors = [], filters } = wish
  return genres.length + moods.length + avoid.length + avoidAuthors.length + Object.keys(filters).length === 0
}
