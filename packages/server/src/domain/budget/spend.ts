// What a call costs the store, and whose ceiling it counts against.
import { isUnproven } from '../identity/principal.ts'
import type { Principal } from '../identity/principal.ts'
import type { Day } from './day.ts'

/** Who caused a call: guests have a ceiling of their own besides the shop's. */
type Spender = 'guest' | 'user' | 'key' | 'shop'

/** Whose ceilings a principal's calls count against. */
export const spenderOf = (principal: Pick<Principal, 'id' | 'kind'>): Spender =>
  isUnproven(principal) ? 'guest' : principal.kind

export interface Spend {
  /** Id of the turn, or of the house call. */
  readonly id: string
  readonly spender: Spender
  readonly day: Day
  readonly microUsd: number
}

/** The ceiling that is reached, as the answer's reason names it. */
export type CeilingReached = 'store-budget' | 'guests-budget'
