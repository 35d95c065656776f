// Normal behaviour of a simulated provider: its size, its pace, and how often it omits optional fields. A scenario sets
// the capacity, and may set the habits of its quota; the others are the same for all scenarios.
import type { Grant } from './token-quota.ts'

export interface Capacity {
  /** Calls that run at once; the others wait in its queue. */
  readonly slots: number
  readonly tokensPerMinute: number
  /** Median of a log-normal distribution. */
  readonly firstTokenMs: number
  /** Range of the pace of an answer. */
  readonly tokensPerSecond: readonly [number, number]
}

export interface Habits {
  /** Pieces of an answer; each costs a timer. */
  readonly deltas: number
  readonly firstTokenSigma: number
  readonly quotaGrant: Grant
  /** For a steady grant. */
  readonly quotaBurstMs: number
  /** A call refused for its quota costs this share of the tokens that it asked for. */
  readonly quotaRefusedShare: number
  /** Whether work continues to its end and holds its slot after the caller has left. */
  readonly abandonedWork: boolean
  /** Longest queue, as a multiple of the slots; beyond it a call gets a 503. */
  readonly queueMax: number
  /** Relative slowdown of work for each multiple of the slots in the queue, and its maximum factor. */
  readonly stretchPerQueue: number
  readonly stretchMax: number
  /** Share of 429s with a retry-after, and share of answers that report their usage. */
  readonly retryAfterShare: number
  readonly usageShare: number
  /**
   * Shares of continuation calls that restart the answer, repeat the last words, or say something different. The rest
   * continue correctly.
   */
  readonly restartShare: number
  readonly overlapShare: number
  readonly mismatchShare: number
}

export const USUAL_HABITS: Habits = {
  deltas: 6,
  firstTokenSigma: 0.4,
  quotaGrant: 'steady',
  quotaBurstMs: 5000,
  quotaRefusedShare: 0,
  abandonedWork: true,
  queueMax: 8,
  stretchPerQueue: 0.1,
  stretchMax: 1.5,
  retryAfterShare: 0.5,
  usageShare: 0.95,
  restartShare: 0.15,
  overlapShare: 0.15,
  mismatchShare: 0.05,
}
