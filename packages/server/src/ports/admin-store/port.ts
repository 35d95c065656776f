// The settings that operators change while the servers run, and their audit. A change and its audit line are one step;
// lines are only added.
import type { ExperimentState, ExperimentStates } from '#domain/experiments/experiment-state.ts'
import type { Overrides, UserOverride } from '#domain/budget/overrides.ts'
import type { AuditAction } from '@mangaassist/protocol/admin'
import type { Setting, Settings } from '#domain/settings/run-settings.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'

export type { AuditAction }

export interface AuditEntry {
  /** Rises with every entry, from 1. */
  readonly number: number
  readonly at: number
  /** The name of the operator's token; `guard` for an arm that a bound has stopped. */
  readonly by: string
  readonly action: AuditAction
  /** The tier, the id of the user, the lane, the conversation, the experiment, `catalogue`, the setting, what was blocked, the request for a person, `service` for all of it, or the operator who signed in or out. */
  readonly subject: string
  /** The value before and after the change, as JSON; null for none. */
  readonly before: unknown
  readonly after: unknown
  readonly reason: string
}

export type Change = Pick<AuditEntry, 'at' | 'by' | 'reason'>

export interface KnownOverrides extends Overrides {
  /** Rises with every change. */
  readonly version: number
  readonly experiments: ExperimentStates
  readonly settings: Settings
}

export interface SettingChange extends Change {
  readonly action: AuditAction
  /** The subject of the audit line. */
  readonly subject: string
}

export interface ExperimentChange {
  readonly action: Extract<AuditAction, 'experiment-started' | 'experiment-stopped' | 'arm-stopped'>
  /** What the caller read: with another state in the store nothing is changed. */
  readonly before: ExperimentState | undefined
  readonly after: ExperimentState
  /** Becomes the key of the hash if there is none yet. */
  readonly newKey: string
}

export interface AuditAsked {
  readonly limit: number
  /** Only entries with a lower number, for the next page. */
  readonly below?: number
  readonly subject?: string
}

export interface AdminStore {
  /** All overrides, settings and the states of experiments; undefined when nothing has changed since `knownVersion`. */
  overrides(knownVersion?: number): Promise<KnownOverrides | undefined>
  /** Overrides a tier's configured limits, or removes the override. */
  setTier(tier: string, figures: Partial<TierFigures> | undefined, change: Change): Promise<AuditEntry>
  /** Returns undefined and changes nothing when the limit of users with a live override is reached. */
  setUser(principalId: string, override: UserOverride | undefined, change: Change): Promise<AuditEntry | undefined>
  /** Sets the state of an experiment. Returns undefined and changes nothing when another change came first. */
  setExperiment(name: string, set: ExperimentChange, change: Change): Promise<AuditEntry | undefined>
  /**
   * Sets or removes a setting, expired or not. Returns undefined and changes nothing when the limit of settings is reached; those that
   * have expired make room.
   */
  setSetting(name: string, setting: Setting | undefined, change: SettingChange): Promise<AuditEntry | undefined>
  /** Adds a line about a change that was made elsewhere. */
  note(entry: Omit<AuditEntry, 'number'>): Promise<AuditEntry>
  /** Newest first. */
  audit(asked: AuditAsked): Promise<readonly AuditEntry[]>
}
