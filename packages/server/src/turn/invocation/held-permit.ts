// A permit held by one call: reported as served at most once and ended exactly once. Disposing an unreported permit reports
// neutral, so that no way out of a call leaves a lane waiting for its lease.
import { outcomeOf } from '#domain/lane/outcome.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { AttemptEnd } from './attempt.ts'

export interface HeldPermit extends Disposable {
  /** The model has sent its first text; the rest may take this long. */
  served(leaseMs: number): void
  report(outcome: Outcome): void
}

/** Fire and forget: `Lanes` never rejects, and the turn must not wait. */
export function heldPermit(lanes: Pick<Lanes, 'served' | 'report'>, lane: string, permitId: string): HeldPermit {
  let isServed = false
  let isReported = false
  const report = (outcome: Outcome) => {
    if (isReported) return
    isReported = true
    void lanes.report(lane, permitId, outcome)
  }
  return {
    served(leaseMs) {
      if (isServed || isReported) return
      isServed = true
      void lanes.served(lane, permitId, leaseMs)
    },
    report,
    [Symbol.dispose]: () => report('neutral'),
  }
}

/** The outcome of a call for its lane: a call that ended by itself is a success, whatever became of its text. */
export function outcomeOfCall(end: AttemptEnd): Outcome {
  if (end.kind === 'failed') return outcomeOf(end.class)
  return end.kind === 'aborted' ? 'neutral' : 'success'
}
