// What a call costs the store, and whose ceiling it counts against.
import type { Day } from './day.ts'

/** Who caused a call: guests have a ceiling of their own besides the shop's. */
type Spender = 'guest' | 'user' | 'key' | 'shop'

export interface Spend {
  /** Id of the turn, or of the house call. */
  readonly id: string
  readonly spender: Spender
  readonly day: Day
  readonly microUsd: number
}

/** The ceiling that is reached, as the answer's reason names it. */
export type CeilingReached = 'store-budget' | 'guests-budget'
