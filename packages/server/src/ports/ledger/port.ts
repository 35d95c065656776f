// The books: one row per turn and attempt, append-only, in integer micro-dollars.
import type {
  GroupsAsked,
  LedgerFilter,
  LedgerGroup,
  LedgerRow,
  LedgerTotals,
  RowPosition,
} from '#domain/ledger/ledger-row.ts'

export type { LedgerFilter, LedgerRow, LedgerTotals, RowPosition } from '#domain/ledger/ledger-row.ts'

export interface Ledger {
  /** Adds rows; one whose turn and attempt are already there is left as it is. */
  record(rows: readonly LedgerRow[]): Promise<void>
  ofTurn(turnId: string): Promise<readonly LedgerRow[]>
  /** Whether a principal's rows of a day come to anything. Costs little, however many rows there are. */
  hasSpent(principalId: string, day: string): Promise<boolean>
  totals(filter: LedgerFilter): Promise<LedgerTotals>
  /** A page of sums, in the order of their keys. Throws a RangeError where there are more groups than can be added up. */
  groups(filter: LedgerFilter, asked: GroupsAsked): Promise<readonly LedgerGroup[]>
  /** A page of rows, by day and time, from behind `after` on. A page that is not full is the last. */
  page(filter: LedgerFilter, limit: number, after?: RowPosition): Promise<readonly LedgerRow[]>
  /**
   * Puts a pseudonym in place of a principal in all its rows, or in those up to a day; answers how many. Figures stay as they
   * are, and repeating it changes nothing.
   */
  rename(of: { readonly principalId: string; readonly to?: string }, pseudonym: string): Promise<number>
  /** All rows, by day and time, read in pages: for an export of any length. */
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
}
