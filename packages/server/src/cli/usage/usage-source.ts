// What `usage` needs from its source, local or remote.
import type { LedgerFilter, LedgerPart, LedgerRow, LedgerTotals } from '#domain/ledger/ledger-row.ts'
import type { UserQuota } from '#wiring/profiles/usage.ts'

export type UsageGroup = LedgerTotals & { readonly key: Readonly<Partial<Record<LedgerPart, string>>> }

export interface UsageSource extends Disposable {
  /** Sorted by key. */
  groups(filter: LedgerFilter, by: readonly LedgerPart[]): AsyncIterable<UsageGroup>
  /** Sorted by day and time. */
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
  rowsOfTurn(turnId: string): Promise<readonly LedgerRow[]>
  quota(userId: string, tier: string | undefined): Promise<UserQuota>
}
