// The state of a lane's controller: one JSON value, which a cluster writes by compare-and-set. The phase is a union, so that a
// lane cannot be half-open and limited at once; only a policy's tick and an operator change it.
import type { ShownLevel } from './level.ts'
import type { Pace } from './pace.ts'

interface Common {
  readonly since: number
  /** How long the circuit was last open; 0: never, or long ago. A repeated opening lasts longer. */
  readonly openedMs: number
  /** The usual number in flight on the healthy lane: the target of slow start. */
  readonly goodInFlight: number
  /** The usual time to the first words: a call that takes much longer is queued at the provider. 0: unknown. */
  readonly goodWaitMs: number
}

export interface Closed extends Common {
  readonly kind: 'closed'
  /** Maximum calls in flight; null: no limit. */
  readonly limit: number | null
  /** Calls a second, while the provider refuses some for load; null: as many as come. Absent in states of older versions. */
  readonly pace: Pace | null
  /** Since when the limit has had no effect. */
  readonly unsaturatedSince: number
  /** When the limit was last cut: only later outcomes can cut it again. */
  readonly cutAt: number
}
export interface Open extends Common {
  readonly kind: 'open'
  readonly until: number
}
export interface HalfOpen extends Common {
  readonly kind: 'half-open'
  /** Index into `probeStages` of the settings. */
  readonly stage: number
  /** How many probes may be taken in this epoch, including those of earlier stages. */
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
  /** The name of the policy that wrote it. Another policy starts with a new state. */
  readonly policy: string
  /** Raised at every opening and every new round of probes, so that results of calls in flight are ignored. */
  readonly epoch: number
  readonly phase: Phase
  readonly shown: ShownLevel
  /** An operator's last action. `force-open` and `disable` hold until the next action. */
  readonly operator: OperatorMark | null
  readonly tickedAt: number
  /** Added to the retry bucket when this state takes effect; `full` on a new lane and after a reset. */
  readonly refill: number | 'full'
  /** The moment up to which time has refilled the retry bucket. */
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
      pace: null,
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
