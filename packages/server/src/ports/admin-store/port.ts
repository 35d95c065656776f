// What operators change while the servers run, and the trail of it. A change and its line in the audit are one step; lines
// are only ever added.
import type { Overrides, UserOverride } from '#domain/budget/overrides.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'

export type AuditAction =
  | 'tier-set'
  | 'tier-cleared'
  | 'user-set'
  | 'user-cleared'
  | 'day-reset'
  | 'session-reset'
  | 'lane-forced-open'
  | 'lane-reset'
  | 'lane-disabled'
  | 'maintenance-on'
  | 'maintenance-off'
  | 'data-exported'
  | 'data-erased'
  | 'backed-up'
  | 'transcript-read'

export interface AuditEntry {
  /** Rises with every entry, from 1. */
  readonly number: number
  readonly at: number
  /** The name of the operator's token. */
  readonly by: string
  readonly action: AuditAction
  /** The tier, the id of the user, the lane, the conversation, or `service` for all of it. */
  readonly subject: string
  /** What stood there and what stands there now, as JSON; null where there was or is nothing. */
  readonly before: unknown
  readonly after: unknown
  readonly reason: string
}

export type Change = Pick<AuditEntry, 'at' | 'by' | 'reason'>

export interface KnownOverrides extends Overrides {
  /** Rises with every change. */
  readonly version: number
}

export interface AuditAsked {
  readonly limit: number
  /** Only entries with a lower number: the next page. */
  readonly below?: number
  readonly subject?: string
}

export interface AdminStore {
  /** All that is overridden; undefined while nothing has changed since `knownVersion`. */
  overrides(knownVersion?: number): Promise<KnownOverrides | undefined>
  /** Puts figures in place of a tier's configured ones, or takes them away. */
  setTier(tier: string, figures: Partial<TierFigures> | undefined, change: Change): Promise<AuditEntry>
  /** Undefined, and nothing is changed, when as many users as may be have an override that has not expired. */
  setUser(principalId: string, override: UserOverride | undefined, change: Change): Promise<AuditEntry | undefined>
  /** Adds a line about what was changed elsewhere. */
  note(entry: Omit<AuditEntry, 'number'>): Promise<AuditEntry>
  /** Newest first. */
  audit(asked: AuditAsked): Promise<readonly AuditEntry[]>
}
