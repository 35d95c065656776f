// The books: one row per turn and attempt, append-only, in integer micro-dollars.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'

export interface LedgerRow {
  readonly turnId: string
  /** 1 for the first model call of the turn, and so on; 0 for an answer that needed no model. */
  readonly attempt: number
  readonly principalId: string
  readonly sessionId: string
  /** The store's day of admission, `YYYY-MM-DD`. */
  readonly day: string
  readonly at: number
  readonly model: string
  readonly tier: AnswerTier
  readonly inputTokens: number
  readonly outputTokens: number
  /** The provider did not say: the figures are our estimate. */
  readonly estimated: boolean
  readonly costMicroUsd: number
  /** How the attempt ended: a finish reason, or the class of the model's error. */
  readonly outcome: FinishReason | string
}

interface LedgerTotals {
  readonly rows: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
}

export interface LedgerFilter {
  readonly principalId?: string
  readonly sessionId?: string
  readonly day?: string
  readonly model?: string
}

export interface Ledger {
  /** Adds rows; one whose turn and attempt are already there is left as it is. */
  record(rows: readonly LedgerRow[]): Promise<void>
  ofTurn(turnId: string): Promise<readonly LedgerRow[]>
  totals(filter: LedgerFilter): Promise<LedgerTotals>
}
