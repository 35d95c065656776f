// What an answer must do: find series, state facts, or give one of the service answers. Derived from a Reading and the state.
import type { AskedFact, Aspect, Grievance, Measure } from '../understanding/reading.ts'
import type { Named } from '../retrieval/question.ts'
import type { Conditions } from './conditions.ts'
import type { Supposed } from './asking/supposed.ts'
import type { Amount } from './money/amounts.ts'
import type { Affording } from './money/affording.ts'
import type { Within } from './money/within.ts'

/** What to look for. */
export interface Quest {
  /** The words to search: wishes and described stories, never dislikes. */
  readonly text: string
  readonly conditions: Conditions
  /** Series that the words name; one of them may be what is meant. */
  readonly named?: readonly Named[]
  /** Series not to show: already shown, read, or disliked. */
  readonly exclude: readonly string[]
  /** Series that were shown before: shown again rather than that a condition is relaxed. */
  readonly seen?: readonly string[]
  /** A story that the shopper remembers: it is that story, whatever he likes or not. */
  readonly isStory?: true
  /** Series that may be shown; absent: all. */
  readonly among?: readonly string[]
  /** The results must differ in this way from those series. */
  readonly compared?: { readonly measures: readonly Measure[]; readonly than: readonly string[] }
  readonly count: number
}

/** Why series are suggested now; it chooses the opening. `outside`: none of those shown meets the wish. */
export type Occasion =
  | 'wish'
  | 'like'
  | 'noted'
  | 'others'
  | 'compared'
  | 'among'
  | 'outside'
  | 'nearest'
  | 'surprise'
  | 'declined'

export type Talk =
  | 'greet'
  | 'thanks'
  | 'bye'
  | 'identity'
  | 'help'
  | 'language'
  | 'smalltalk'
  | 'abuse'
  /** The shopper has said sorry. */
  | 'forgiven'
  /** Thanks for the way to the staff: nothing is solved yet. */
  | 'resolved'
  | 'distress'
  | 'unclear'
  | 'declined'
  | 'noted'

export type Intent = Core & {
  /** A policy of the shop that the same message asks for, by the id of its FAQ entry. */
  readonly also?: string
  /** The message puts right what was taken to be meant before. */
  readonly isCorrected?: true
}

type Core =
  | { readonly kind: 'suggest'; readonly quest: Quest; readonly occasion: Occasion }
  /** A half-remembered story; a guess is a message that was not understood, and is searched all the same. */
  | { readonly kind: 'identify'; readonly quest: Quest; readonly isGuess?: true }
  /** One series, or several, are introduced. */
  | {
      readonly kind: 'introduce'
      readonly ids: readonly string[]
      readonly isGuessed: boolean
      /** Names in the same message that the shop does not have. */
      readonly missing?: readonly string[]
    }
  | {
      readonly kind: 'inform'
      readonly ids: readonly string[]
      readonly facts: readonly AskedFact[]
      readonly volume?: number
      readonly age?: number
      readonly by?: Measure
      /** What a question that yes or no answers takes to be so. */
      readonly supposed?: readonly Supposed[]
    }
  /** The total price of several series; `amounts` is set for those of which not exactly one complete set is meant. */
  | {
      readonly kind: 'sum'
      readonly ids: readonly string[]
      readonly amounts?: Readonly<Record<string, Amount>>
      /** The amount that the sum is compared with. */
      readonly within?: Within
      /** How many volumes that buys is asked, and no sum. */
      readonly affording?: Affording
      /** What else is asked of the same series. */
      readonly facts?: readonly AskedFact[]
      readonly supposed?: readonly Supposed[]
    }
  /** Whether each series has the asked qualities, or suits the asked age. */
  | {
      readonly kind: 'fit'
      readonly ids: readonly string[]
      readonly aspects: readonly Aspect[]
      readonly age?: number
    }
  | {
      readonly kind: 'compare'
      readonly ids: readonly string[]
      readonly measures: readonly Measure[]
      /** Only the first volume is compared: "which is cheaper to start with?" */
      readonly isStart?: true
      /** What the question asks of them: 「どっちが泣ける？」. */
      readonly aspects?: readonly Aspect[]
      /** What a sentence beside the question dislikes. */
      readonly avoid?: readonly Aspect[]
      /** What else is asked of the best of them. */
      readonly facts?: readonly AskedFact[]
    }
  /** Other works of people, or of the makers of a series. */
  | {
      readonly kind: 'works'
      readonly people: readonly string[]
      readonly of?: string
      readonly part: 'any' | 'writer' | 'artist'
      readonly quest: Quest
    }
  /** Explains a suggestion or repeats a statement; with `isName`, repeats only the title. */
  | { readonly kind: 'explain'; readonly ids: readonly string[]; readonly isName?: true }
  | { readonly kind: 'unstocked'; readonly name: string; readonly quest: Quest }
  /** With `by` the one of them that is the cheapest, the longest … */
  | { readonly kind: 'choose'; readonly ids: readonly string[]; readonly by?: Measure }
  | { readonly kind: 'buy'; readonly ids: readonly string[]; readonly volume?: number; readonly by?: Measure }
  | { readonly kind: 'order'; readonly topic: OrderTopic; readonly orderId?: string }
  /** `about`: the policy that the complaint asks for, where it is not that of the grievance. */
  | {
      readonly kind: 'complaint'
      readonly grievance: Grievance | 'other'
      readonly about?: string
      readonly orderId?: string
    }
  | { readonly kind: 'person'; readonly orderId?: string }
  /** Continued: the message names no policy, and asks on about the last one. */
  | { readonly kind: 'faq'; readonly id: string; readonly isContinued?: true }
  /** Asks one question back: which series is meant, or what the shopper likes. */
  | { readonly kind: 'ask'; readonly what: 'series' | 'taste' }
  | { readonly kind: 'talk'; readonly topic: Talk }

export type OrderTopic = 'status' | 'change' | 'cancel' | 'refund'
