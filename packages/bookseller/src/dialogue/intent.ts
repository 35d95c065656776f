// What an answer must do: find series, state facts, or give one of the service answers. Derived from a Reading and the state.
import type { AskedFact, Grievance, Measure } from '../understanding/reading.ts'
import type { Conditions } from './conditions.ts'

/** What to look for. */
export interface Quest {
  /** The words to search: wishes and described stories, never dislikes. */
  readonly text: string
  readonly conditions: Conditions
  /** Series not to show: already shown, read, or disliked. */
  readonly exclude: readonly string[]
  /** Series that may be shown; absent: all. */
  readonly among?: readonly string[]
  /** The results must differ in this way from those series. */
  readonly compared?: { readonly measures: readonly Measure[]; readonly than: readonly string[] }
  readonly count: number
}

/** Why series are suggested now; it chooses the opening. */
export type Occasion = 'wish' | 'like' | 'noted' | 'others' | 'compared' | 'among' | 'nearest' | 'surprise' | 'declined'

export type Talk =
  | 'greet'
  | 'thanks'
  | 'bye'
  | 'identity'
  | 'help'
  | 'language'
  | 'smalltalk'
  | 'abuse'
  | 'distress'
  | 'unclear'
  | 'declined'
  | 'noted'

export type Intent =
  | { readonly kind: 'suggest'; readonly quest: Quest; readonly occasion: Occasion }
  /** A half-remembered story. */
  | { readonly kind: 'identify'; readonly quest: Quest }
  /** One series, or several, are introduced. */
  | { readonly kind: 'introduce'; readonly ids: readonly string[]; readonly isGuessed: boolean }
  | {
      readonly kind: 'inform'
      readonly ids: readonly string[]
      readonly facts: readonly AskedFact[]
      readonly volume?: number
      readonly age?: number
    }
  | { readonly kind: 'sum'; readonly ids: readonly string[]; readonly copies?: number }
  | { readonly kind: 'compare'; readonly ids: readonly string[]; readonly measures: readonly Measure[] }
  /** Other works of people, or of the makers of a series. */
  | {
      readonly kind: 'works'
      readonly people: readonly string[]
      readonly of?: string
      readonly part: 'any' | 'writer' | 'artist'
      readonly quest: Quest
    }
  /** Why a series was suggested, or what was said of it. */
  | { readonly kind: 'explain'; readonly ids: readonly string[] }
  | { readonly kind: 'unstocked'; readonly name: string; readonly quest: Quest }
  | { readonly kind: 'choose'; readonly ids: readonly string[] }
  | { readonly kind: 'buy'; readonly ids: readonly string[]; readonly volume?: number }
  | { readonly kind: 'order'; readonly topic: OrderTopic; readonly orderId?: string }
  | { readonly kind: 'complaint'; readonly grievance: Grievance | 'other'; readonly orderId?: string }
  | { readonly kind: 'person'; readonly orderId?: string }
  | { readonly kind: 'faq'; readonly id: string }
  /** Which series is meant, or what is liked: one question back. */
  | { readonly kind: 'ask'; readonly what: 'series' | 'taste' }
  | { readonly kind: 'talk'; readonly topic: Talk }

export type OrderTopic = 'status' | 'change' | 'cancel' | 'refund'
