// What an answer says, line by line, before it has words. The planner chooses the lines; each language has a wording for
// every one of them.
import type { Product } from '../catalogue/catalogue.ts'
import type { ConditionName, Conditions } from '../dialogue/conditions.ts'
import type { Occasion, OrderTopic, Talk } from '../dialogue/intent.ts'
import type { Afforded } from '../dialogue/money/affording.ts'
import type { Summed } from '../dialogue/money/price-of.ts'
import type { Within } from '../dialogue/money/within.ts'
import type { Decided } from '../dialogue/planning/verdict.ts'
import type { Fit } from '../dialogue/planning/fit.ts'
import type { Policy } from '../dialogue/policies.ts'
import type { Reason } from '../dialogue/reason-shape.ts'
import type { Shipping } from '../dialogue/shop.ts'
import type { AskedFact, Grievance, Limits, Measure } from '../understanding/reading.ts'

/** A series with the reason for it, and the facts that answer a stated condition. */
export interface Pick {
  readonly product: Product
  readonly reason?: Reason
  /** What answers the wish in the shopper's own words, beside the reason. */
  readonly met?: Reason
  readonly facts: readonly PickFact[]
}
export type PickFact = 'total' | 'volumes' | 'status' | 'price' | 'age' | 'year' | 'sold-out' | 'hiatus'

/** Facts that a word or a number states. */
export const BRIEF_FACTS = [
  'status',
  'volumes',
  'price',
  'total',
  'stock',
  'author',
  'year',
  'age',
  'magazine',
  'publisher',
] as const satisfies readonly AskedFact[]
export type BriefFact = (typeof BRIEF_FACTS)[number]

export const isBrief = (fact: AskedFact): fact is BriefFact => BRIEF_FACTS.some((one) => one === fact)

export interface Noted {
  readonly avoid: readonly string[]
  readonly limits: Limits
}

export type Line =
  | {
      readonly say: 'picks'
      readonly occasion: Occasion
      readonly picks: readonly Pick[]
      readonly liked: readonly Product[]
      readonly conditions: Conditions
      /** What this message adds to the conditions. */
      readonly noted: Noted
      readonly measure?: Measure
      readonly isUnsure: boolean
    }
  | { readonly say: 'identified'; readonly picks: readonly Pick[]; readonly isUnsure: boolean }
  | { readonly say: 'relaxed'; readonly names: readonly ConditionName[]; readonly conditions: Conditions }
  | { readonly say: 'nothing'; readonly conditions: Conditions; readonly hasShown: boolean }
  | { readonly say: 'no-match' }
  | {
      readonly say: 'works'
      readonly people: string
      readonly of?: Product
      readonly picks: readonly Pick[]
      readonly part: 'any' | 'writer' | 'artist'
    }
  | { readonly say: 'no-works'; readonly people: string; readonly elsewhere: readonly string[] }
  | { readonly say: 'unknown-person'; readonly people: string }
  | { readonly say: 'introduce'; readonly product: Product; readonly isGuessed: boolean }
  | {
      readonly say: 'fact'
      readonly fact: AskedFact
      readonly product: Product
      /** How many series are asked about. */
      readonly among: number
      readonly age?: number
      /** The answer to a question that yes or no answers. */
      readonly isSo?: boolean
      /** The line before is about the same series. */
      readonly isAgain?: true
      /** A line before states what it contains. */
      readonly isWarned?: true
    }
  | { readonly say: 'volume'; readonly product: Product; readonly volume: number }
  | {
      readonly say: 'total'
      readonly product: Product
      readonly yen: number
      readonly shipping?: Shipping
      readonly isAgain?: true
    }
  | {
      readonly say: 'sum'
      readonly items: readonly Summed[]
      readonly yen: number
      readonly shipping?: Shipping
      /** The amount that the shopper asks about. */
      readonly within?: Within
    }
  /** What comes back of the last sum. */
  | { readonly say: 'points'; readonly yen: number; readonly points: number }
  /** How many volumes an amount of money buys. */
  | ({ readonly say: 'afford' } & Afforded)
  /** What shipping the last sum costs. */
  | { readonly say: 'shipping'; readonly yen: number; readonly shipping: Shipping }
  /** A few facts of several series, in one sentence. */
  | {
      readonly say: 'facts'
      readonly facts: readonly BriefFact[]
      readonly products: readonly Product[]
      readonly isSo?: boolean
      /** The line before names the same series. */
      readonly isAgain?: true
    }
  | ({ readonly say: 'fit'; readonly product: Product; readonly age?: number } & Fit)
  /** Names beside others that the shop has. */
  | { readonly say: 'missing'; readonly names: readonly string[] }
  | { readonly say: 'named'; readonly products: readonly Product[] }
  | {
      readonly say: 'measured'
      readonly measure: Measure
      readonly best: Product
      readonly others: readonly Product[]
      readonly isTie: boolean
      /** Only the first volumes are compared. */
      readonly isStart?: true
    }
  /** Which to choose, and by what. */
  | ({ readonly say: 'verdict' } & Decided)
  | { readonly say: 'contrast'; readonly picks: readonly Pick[] }
  | { readonly say: 'explain'; readonly pick: Pick; readonly isAlone: boolean }
  | { readonly say: 'unstocked'; readonly name: string; readonly picks: readonly Pick[] }
  | { readonly say: 'chosen'; readonly product: Product; readonly reason?: Reason }
  | { readonly say: 'buy'; readonly products: readonly Product[]; readonly volume?: number }
  | { readonly say: 'buy-what' }
  | { readonly say: 'sold-out'; readonly product: Product; readonly isAgain?: true }
  /** The shopper has put right what was taken to be meant. */
  | { readonly say: 'corrected' }
  /** `policy` is what the shop's FAQ says of it, without its own apology; empty where the FAQ says nothing. */
  | { readonly say: 'order'; readonly topic: OrderTopic; readonly policy: string; readonly orderId?: string }
  | {
      readonly say: 'sorry'
      readonly grievance: Grievance | 'other'
      /** An earlier answer has said sorry. */
      readonly isAgain: boolean
      readonly policy: string
      readonly contact: string
      readonly orderId?: string
    }
  | { readonly say: 'person'; readonly contact: string; readonly orderId?: string }
  | ({ readonly say: 'faq' } & Policy)
  | { readonly say: 'ask'; readonly what: 'series' | 'taste'; readonly among: readonly Product[] }
  | { readonly say: 'talk'; readonly topic: Talk; readonly noted: Noted }

export type LineOf<Say extends Line['say']> = Extract<Line, { readonly say: Say }>

/** The ways to say each line, best first. */
export type Wording = { readonly [Say in Line['say']]: (line: LineOf<Say>) => readonly string[] }

/** A follow-up that the state makes sensible, and that this assistant can answer. */
export type FollowUp =
  | { readonly offer: 'similar' | 'synopsis' | 'total' | 'works' | 'buy' | 'audience'; readonly product: Product }
  | { readonly offer: 'compare'; readonly products: readonly [Product, Product] }
  | {
      readonly offer:
        | 'others'
        | 'cheaper'
        | 'shorter'
        | 'finished'
        | 'relax-budget'
        | 'funny'
        | 'moving'
        | 'short-finished'
        | 'for-child'
        | 'shipping'
        | 'returns'
        | 'person'
        | 'tracking'
    }

/** Some of the fields of a type; `Pick` is a suggested series here. */
export type Part<All, Keys extends keyof All> = { readonly [Key in Keys]: All[Key] }
