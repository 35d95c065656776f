// A permit in the hands of one call: told served at most once and reported exactly once. Disposing of one that was not
// reported says that nothing can be said, so that no way out of a call leaves a lane waiting for its lease.
import { outcomeOf } from '#domain/lane/outcome.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { AttemptEnd } from './attempt.ts'

export interface HeldPermit extends Disposable {
  /** The model has begun to speak; the rest may take this long. */
  served(leaseMs: number): void
  report(outcome: Outcome): void
}

/** Nobody waits for what is told here: the lanes never reject, and a turn goes on without their thanks. */
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

/** What a call says of its lane: whoever spoke to its end was well, whatever became of the words. */
export function outcomeOfCall(end: AttemptEnd): Outcome {
  if (end.kind === 'failed') return outcomeOf(end.class)
  return end.kind === 'aborted' ? 'neutral' : 'success'
}
