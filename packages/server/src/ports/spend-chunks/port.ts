// What all vendors' calls of a day may cost together: an account of the whole store and one of its guests. A node takes money
// in chunks before it spends any of it and gives back what it did not need, so the sum of all nodes never passes the limit.
// A chunk whose node died counts as spent until the day is over.
import type { Day } from '#domain/budget/day.ts'

export interface SpendAccount {
  readonly name: 'store' | 'guests'
  readonly day: Day
  readonly limitMicroUsd: number
}

/** Shares of the limit, in per cent, that operators are told of. */
const SPEND_STEPS = [50, 80, 100] as const
export type SpendStep = (typeof SPEND_STEPS)[number]

export interface SpendChunk {
  /** Between the least and the most that were asked for, or 0. */
  readonly grantedMicroUsd: number
  /** What nobody has taken yet. */
  readonly leftMicroUsd: number
  /** The highest step that was reached by this chunk, and by none before it in the day. */
  readonly reached?: SpendStep
}

export interface SpendChunks {
  /** Takes money. A repeat with the same operation is answered as the first time and takes nothing. */
  lease(
    account: SpendAccount,
    ask: { readonly least: number; readonly most: number },
    operation: string,
  ): Promise<SpendChunk>
  /** Gives back what was taken and not spent; once for an operation, which is no lease's. */
  giveBack(account: SpendAccount, microUsd: number, operation: string): Promise<void>
  /** Counts what was spent beyond what had been taken, be it past the limit; once for an operation. */
  charge(account: SpendAccount, microUsd: number, operation: string): Promise<void>
  /** What is taken of an account. */
  taken(account: SpendAccount): Promise<number>
}

/** The highest step that `before` had not reached and `after` has. */
export function stepReached(before: number, after: number, limit: number): SpendStep | undefined {
  return SPEND_STEPS.findLast((step) => before * 100 < step * limit && after * 100 >= step * limit)
}
