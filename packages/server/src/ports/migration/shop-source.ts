// The data of a one-machine shop, to be moved to other stores: read item by item, so that a shop of any size fits into memory.
// Nothing is changed. Data that has expired is left out.
import type { Calibration } from '#domain/estimator/calibration.ts'
import type { HistoryStep } from '#domain/model-history/model-meter.ts'
import type { AdminStore } from '../admin-store/port.ts'
import type { AlarmBoard } from '../alarm-board/port.ts'
import type { DeferredQuestion } from '../deferred-store/port.ts'
import type { Ledger } from '../ledger/port.ts'
import type { Session, SessionStore, StoredTurn } from '../session-store/port.ts'
import type { SpendAccount } from '../spend-chunks/port.ts'
import type { Kind } from '../records/port.ts'
import type { LogRecord } from '../turn-log/port.ts'
import type { TurnRecords } from '../turn-records/port.ts'
import type { AccountUse, StoredUnit } from './imports.ts'

export interface StoredConversation {
  readonly session: Session
  /** In the order of their versions. */
  readonly turns: readonly StoredTurn[]
}

export interface UseOfAccount {
  /** The name under which the account is stored. */
  readonly account: string
  readonly use: AccountUse
}

export interface Spending {
  readonly account: Pick<SpendAccount, 'name' | 'day'>
  readonly takenMicroUsd: number
  /** The most that it was on its day: steps up to it have been reported. */
  readonly highestMicroUsd: number
}

export interface StoredCalibration {
  readonly key: string
  readonly calibration: Calibration
}

/** Work that a server has still to end: it cannot be moved. */
export interface UnfinishedWork {
  readonly turns: number
  readonly holds: number
}

export interface ShopCounts {
  readonly conversations: number
  readonly turnLogs: number
  readonly accountUses: number
  readonly turnRecords: number
  readonly refusals: number
  readonly units: number
  readonly auditLines: number
  readonly calibrations: number
  readonly deferred: number
  readonly historySteps: number
  /** 1, or 0 for a shop whose alarms were never evaluated. */
  readonly alarmStates: number
}

export interface ShopSource {
  readonly sessions: Pick<SessionStore, 'recentTurns' | 'listOf'>
  readonly ledger: Pick<Ledger, 'groups' | 'rows' | 'totals'>
  readonly turnRecords: Pick<TurnRecords, 'list'>
  /** Turn records from before this time are left out. */
  readonly recordsFrom: number
  readonly admin: Pick<AdminStore, 'overrides' | 'audit'>
  readonly alarms: Pick<AlarmBoard, 'read'>
  counts(): ShopCounts
  unfinished(): UnfinishedWork
  /** Changes when the data does. */
  digest(): string
  conversations(): Iterable<StoredConversation>
  /** Principals with conversations. */
  principals(): Iterable<string>
  turnLogs(): Iterable<readonly LogRecord[]>
  accountUses(): Iterable<UseOfAccount>
  spending(): Iterable<Spending>
  units(): Iterable<StoredUnit>
  calibrations(): Iterable<StoredCalibration>
  deferred(): Iterable<DeferredQuestion>
  /** Every value of a kind, the oldest first. */
  records<Value>(kind: Kind<Value>): Iterable<Value>
  countOf(kind: Pick<Kind<unknown>, 'name' | 'time' | 'keepMs'>): number
  /** The oldest first. */
  historySteps(): AsyncIterable<HistoryStep>
}
