// The day's ceilings of what all vendor calls may cost together: one account for the whole shop and one for its guests. A
// node leases money in chunks before it spends any of it and returns what it did not need, so the sum over all nodes never
// exceeds the limit. The chunk of a dead node counts as spent until the day ends.
import type { Day } from '#domain/budget/day.ts'

export interface SpendAccount {
  readonly name: 'store' | 'guests'
  readonly day: Day
  readonly limitMicroUsd: number
}

/** Percentages of the limit that are reported to operators. */
const SPEND_STEPS = [50, 80, 100] as const
export type SpendStep = (typeof SPEND_STEPS)[number]

export interface SpendChunk {
  /** Between the least and the most requested, or 0. */
  readonly grantedMicroUsd: number
  /** The part of the limit that is not leased. */
  readonly leftMicroUsd: number
  /** The highest step that this chunk reached first in the day. */
  readonly reached?: SpendStep
}

export interface SpendChunks {
  /** Leases money. A repeat of the operation gets the first result and takes nothing. */
  lease(
    account: SpendAccount,
    ask: { readonly least: number; readonly most: number },
    operation: string,
  ): Promise<SpendChunk>
  /** Returns leased money that was not spent, once for an operation; the operation is not that of a lease. */
  giveBack(account: SpendAccount, microUsd: number, operation: string): Promise<void>
  /** Counts spending beyond the leased money, also beyond the limit, once for an operation. */
  charge(account: SpendAccount, microUsd: number, operation: string): Promise<void>
  /** The leased amount of an account. */
  taken(account: SpendAccount): Promise<number>
}

/** The highest step that `before` had not reached and `after` has. */
export function stepReached(before: number, after: number, limit: number): SpendStep | undefined {
  return SPEND_STEPS.findLast((step) => before * 100 < step * limit && after * 100 >= step * limit)
}
