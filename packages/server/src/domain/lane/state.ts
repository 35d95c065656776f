// The state of a lane's controller: one value that survives JSON, written by compare-and-set on a fleet. The phase is a
// union, so that a lane cannot be half-open and limited at once; only a policy's tick and an operator change it.
import type { ShownLevel } from './level.ts'

interface Common {
  readonly since: number
  /** How long the circuit was last open; 0: not lately. Repeats grow from it. */
  readonly openedMs: number
  /** What was usually in flight when all was well: slow start aims at it. */
  readonly goodInFlight: number
  /** And how long a first word usually took: what takes much longer waits at the provider, behind others. 0: not known. */
  readonly goodWaitMs: number
}

export interface Closed extends Common {
  readonly kind: 'closed'
  /** Most in flight; null: no limit. */
  readonly limit: number | null
  /** Since when the limit has not been felt. */
  readonly unsaturatedSince: number
  /** When it was last cut: only what happened since can cut it again. */
  readonly cutAt: number
}
export interface Open extends Common {
  readonly kind: 'open'
  readonly until: number
}
export interface HalfOpen extends Common {
  readonly kind: 'half-open'
  /** An index of the settings' probe stages. */
  readonly stage: number
  /** Probes of this epoch that may be taken, earlier stages included. */
  readonly probesMax: number
}
export interface Recovering extends Common {
  readonly kind: 'recovering'
  readonly limit: number
}
export type Phase = Closed | Open | HalfOpen | Recovering

export interface OperatorMark {
  readonly action: 'force-open' | 'reset' | 'disable'
  readonly by: string
  readonly at: number
}

export interface LaneState {
  /** A state that another policy left behind is begun anew. */
  readonly policy: string
  /** Raised whenever what is under way must no longer be believed: at every opening and every new round of probes. */
  readonly epoch: number
  readonly phase: Phase
  readonly shown: ShownLevel
  /** The last thing a person did here. Forcing and disabling hold until the next one. */
  readonly operator: OperatorMark | null
  readonly tickedAt: number
  /** What this state adds to the retry bucket when it takes effect: a new lane, or one that a person reset, has it full. */
  readonly refill: number | 'full'
  /** Up to when time has refilled the retry bucket. */
  readonly refilledAt: number
}

export function startState(policy: LaneState['policy'], now: number): LaneState {
  return {
    policy,
    epoch: 1,
    phase: {
      kind: 'closed',
      since: 0,
      openedMs: 0,
      goodInFlight: 0,
      goodWaitMs: 0,
      limit: null,
      unsaturatedSince: now,
      cutAt: 0,
    },
    shown: { level: 'normal', markedAt: now },
    operator: null,
    tickedAt: now,
    refill: 'full',
    refilledAt: now,
  }
}
