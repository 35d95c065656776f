// What operators want to know of a turn besides its outcome: how long its stages took, what was retrieved for it, and why models were
// passed over. It travels in the outcome, so that any node that settles the turn records the same.

import type { EstimatorStatus } from '../estimator/estimates.ts'

/** Milliseconds in each stage, as far as they are known. Delivery runs beside invocation; settlement counts up to the record. */
export interface StageTimes {
  readonly admissionMs?: number
  readonly contextMs?: number
  readonly routingMs?: number
  readonly invocationMs?: number
  readonly deliveryMs?: number
  readonly settlementMs?: number
}

/** Why a call was made: the first of the turn, a retry of the same model, the next model, or text that another call broke off. */
export type CallReason = 'first' | 'retry' | 'next' | 'continuation' | 'hedge'

/** How a call came about. */
export interface CallBeginning {
  readonly why: CallReason
  readonly lane: string
  /** The wait before a retry. */
  readonly delayMs?: number
}

/** A model of the ladder that did not answer, and the reason: `circuit-open`, `throttled`, `no-time`, … */
export interface PassedModel {
  readonly model: string
  readonly reason: string
}

/** At most `RETRIEVED_MAX` ids of each. */
export interface Retrieved {
  readonly products: readonly string[]
  readonly faq: readonly string[]
}

/** How the tokens of a prompt were estimated. */
export interface EstimateBy extends Pick<EstimatorStatus, 'method' | 'family' | 'confidence'> {
  /** The configured name of the model. */
  readonly model: string
}

export interface TurnStory {
  /** Absent where no vendor's model could be asked, and in older records. */
  readonly estimate?: EstimateBy
  readonly stages: StageTimes
  /** Absent for a prompt of the caller's own. */
  readonly retrieved?: Retrieved
  /** The configured name of the model that would have been asked first, whatever budget and lanes allowed. */
  readonly firstChoice?: string
  /** The models that gave no answer, in the order in which they were considered; absent when there are none. */
  readonly passed?: readonly PassedModel[]
  /** Why it ended before its text was complete: a stop by the shopper, no reader, or the deadline. */
  readonly stop?: 'stopped' | 'unread' | 'timeout'
  /** The shopper was warned that the day's budget is nearly used up. */
  readonly quotaWarned?: true
}

export const RETRIEVED_MAX = 20
