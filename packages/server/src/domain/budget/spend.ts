// What a call costs the store, and whose ceiling it counts against.
import type { Day } from './day.ts'

/** Who caused a call: guests have a ceiling of their own besides the store's. */
type Spender = 'guest' | 'user' | 'key' | 'shop'

export interface Spend {
  /** Of the turn, or of the shop's own call. */
  readonly id: string
  readonly spender: Spender
  readonly day: Day
  readonly microUsd: number
}

/** Which ceiling is reached, as the answer names it. */
export type CeilingReached = 'store-budget' | 'guests-budget'
