// What a shopper is asking for, in the words of the shelves. Made from the message alone by `understand`, and
// joined with what was said before by `inContext`.

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

export interface Ask {
  readonly kind: AskKind
  /** Ids of the series that were named, in their order. */
  readonly mentioned: readonly string[]
  readonly wish: Wish
  readonly reference?: Reference
  /** Shorter, cheaper: than what was shown. */
  readonly than?: 'shorter' | 'longer' | 'cheaper'
  /** Something other than what was shown. */
  readonly others?: true
  /** Nothing but a wish was said, in a few words: after a list it refines the list. */
  readonly bare?: true
  readonly faqId?: string
}

export const NO_WISH: Wish = { genres: [], moods: [], avoid: [], filters: {} }

export function isEmptyWish(wish: Wish): boolean {
  return wish.genres.length + wish.moods.length + wish.avoid.length + Object.keys(wish.filters).length === 0
}
