// Stores data of another store as it is, with its times, versions and numbers: the verbs of the ports would give it new ones.
// Every verb can be repeated, and changes nothing that exists: a move that was interrupted is run again from the beginning.
import type { Day } from '#domain/budget/day.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import type { AuditEntry, KnownOverrides } from '../admin-store/port.ts'
import type { Session, StoredTurn } from '../session-store/port.ts'
import type { LogRecord } from '../turn-log/port.ts'

export interface SessionImport {
  /**
   * Stores a conversation with all its turns in the order of their versions. It becomes visible whole or not at all. Returns
   * false when a conversation with this id exists, or when this one has been idle for too long to be stored.
   */
  add(session: Session, turns: readonly StoredTurn[]): Promise<boolean>
}

export interface TurnLogImport {
  /** Stores the whole log of an ended turn; returns false when the turn exists. */
  add(records: readonly LogRecord[]): Promise<boolean>
}

/** What an account used on a day. */
export interface DayUse {
  readonly day: string
  readonly used: Amounts
  readonly messages: number
  /** Until when it is stored. */
  readonly until: number
}

/** What an account used in a conversation; its dollars are counted by the day. */
export interface SessionUse {
  readonly sessionId: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly until: number
}

/** The claim of a settled turn on an idempotency key. */
export interface KeyClaim {
  readonly key: string
  readonly fingerprint: string
  readonly turnId: string
  readonly sessionId: string
  readonly day: Day
  readonly granted: Amounts
  /** The turn used more than it had reserved. */
  readonly overage: boolean
  readonly until: number
}

/** A turn that was charged: it is not charged again when its account is compared with the ledger. */
export interface ChargedTurn {
  readonly turnId: string
  readonly sessionId: string
  readonly day: Day
  readonly granted: Amounts
  readonly overage: boolean
  /** The idempotency key under which it was asked. */
  readonly key: string
  readonly until: number
}

export type AccountUse =
  | { readonly kind: 'day'; readonly use: DayUse }
  | { readonly kind: 'session'; readonly use: SessionUse }
  | { readonly kind: 'turn'; readonly use: ChargedTurn }
  | { readonly kind: 'claim'; readonly use: KeyClaim }

/** Accounts by the names under which they are stored, not by the ids of principals. */
export interface AccountImport {
  add(account: string, use: AccountUse): Promise<void>
  /** The stored entry for the same day, conversation, turn or key as `like`; undefined if there is none. */
  read(account: string, like: AccountUse): Promise<AccountUse | undefined>
}

export type Settings = Omit<KnownOverrides, 'version'>

export interface AdminImport {
  /** How many lines of the audit the store keeps; absent: all. */
  readonly auditLinesMax?: number
  addSettings(settings: Settings): Promise<void>
  /** Adds lines with their numbers, oldest first. A line whose number is not above the newest is known. */
  addAudit(entries: readonly AuditEntry[]): Promise<void>
}

/** Who a user is assigned to the arms of experiments as. */
export interface StoredUnit {
  readonly principalId: string
  readonly unit: string
  readonly expiresAt: number
}

export interface UnitImport {
  add(unit: StoredUnit): Promise<void>
}
