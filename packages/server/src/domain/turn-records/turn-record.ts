// What is kept of an ended turn for operators and experiments: how it was routed, what it cost, how it was received. It holds
// ids and figures, and no text but the reason of a thumb.
import type { AnswerTier, FinishReason, Language } from '@mangaassist/protocol'
import type { TurnRouting, WeighedQuestion } from '../routing/route-choice.ts'
import type { AnswerMismatch } from '../turn/log-records.ts'

export interface TurnRecord {
  readonly turnId: string
  readonly sessionId: string
  readonly principalId: string
  readonly userTier: string
  /** When the turn ended. */
  readonly at: number
  readonly language: Language
  /** How many turns the conversation had before. */
  readonly position: number
  /**
   * Absent while routing is off and no experiment runs. An answer from the cache was made for another turn: it has no
   * exposures.
   */
  readonly routing?: TurnRouting
  /** Whether routing is on or off; absent where the question was not read. */
  readonly weighed?: WeighedQuestion
  readonly promptVersion?: string
  readonly tier: AnswerTier
  readonly model: string
  readonly finishReason: FinishReason
  readonly isDegraded: boolean
  readonly isCached: boolean
  readonly failure?: string
  readonly attempts: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
  readonly firstWordMs: number | null
  readonly totalMs: number
  readonly mismatches: readonly AnswerMismatch['kind'][]
  /** What the shopper did with the answer; each is written later than the record. */
  readonly received: Received
}

/** Fields are added as they become known; feedback may change, the rest never goes back. */
export interface Received {
  readonly feedback?: Feedback
  /** Another question followed in the conversation. */
  readonly followedUp?: true
  /** The next question asked the same again, or said that the answer was no good. */
  readonly askedAgain?: true
  /** How many cards were opened. */
  readonly cardsOpened?: number
  /** A person of the shop was called, or asked for. */
  readonly handedOver?: true
}

export interface Feedback {
  readonly value: 'up' | 'down'
  readonly reason?: string
  readonly at: number
}

export interface RecordsFilter {
  /** Times in milliseconds; `to` is not included. */
  readonly from?: number
  readonly to?: number
  readonly experiment?: string
  readonly sessionId?: string
  readonly principalId?: string
  readonly feedback?: Feedback['value']
}

/** Where a page ended. */
export type RecordPosition = Pick<TurnRecord, 'at' | 'turnId'>
