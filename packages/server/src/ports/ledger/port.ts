// The ledger: one row per turn and attempt, append-only, in integer micro-dollars.
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
  /** Adds rows; a row with the same turn and attempt is not overwritten. */
  record(rows: readonly LedgerRow[]): Promise<void>
  /** Whether recorded rows wait in this process for an unavailable store. Absent where `record` returns only when they are written. */
  isWaiting?(rows: readonly LedgerRow[]): boolean
  ofTurn(turnId: string): Promise<readonly LedgerRow[]>
  /** Whether a principal spent anything on a day. Cheap, however many rows there are. */
  hasSpent(principalId: string, day: string): Promise<boolean>
  totals(filter: LedgerFilter): Promise<LedgerTotals>
  /** A page of sums, in the order of their keys. Throws a RangeError when there are too many groups to sum. */
  groups(filter: LedgerFilter, asked: GroupsAsked): Promise<readonly LedgerGroup[]>
  /** A page of rows by day and time, after the position `after`. A page that is not full is the last. */
  page(filter: LedgerFilter, limit: number, after?: RowPosition): Promise<readonly LedgerRow[]>
  /**
   * Replaces a principal by a pseudonym in all its rows, or in those up to a day; returns how many. Amounts stay, and a
   * repeat changes nothing.
   */
  rename(of: { readonly principalId: string; readonly to?: string }, pseudonym: string): Promise<number>
  /** All rows, by day and time, read in pages: for an export of any length. */
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
  /** What each row of a day cost, in no order; absent where it is no cheaper than `rows`. */
  costs?(day: string): AsyncIterable<Pick<LedgerRow, 'principalId' | 'costMicroUsd'>>
}
