// What `usage` needs of wherever it reads from.
import type { LedgerFilter, LedgerPart, LedgerRow, LedgerTotals } from '#domain/ledger/ledger-row.ts'
import type { UserQuota } from '#wiring/profiles/usage.ts'

export type UsageGroup = LedgerTotals & { readonly key: Readonly<Partial<Record<LedgerPart, string>>> }

export interface UsageSource extends Disposable {
  /** In the order of their keys. */
  groups(filter: LedgerFilter, by: readonly LedgerPart[]): AsyncIterable<UsageGroup>
  /** By day and time. */
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
  quota(userId: string, tier: string | undefined): Promise<UserQuota>
}
