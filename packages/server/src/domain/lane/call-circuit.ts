// Spares callers the wait for a store that does not answer: the circuit of its lane. Only late replies open it, because a call
// that fails at once makes no caller wait. A client of a store uses it around every call.
import { NodeLane } from './node-lane.ts'
import type { Outcome } from './outcome.ts'
import { dependencyPolicy } from './policy-for.ts'
import type { LanePolicy } from './policy.ts'
import type { RemoteStore } from './settings.ts'

/** Longer than a call's own deadline: its report always comes first. */
const LEASE_SLACK_MS = 5000

export interface CallCircuitParts {
  readonly store: RemoteStore
  readonly clock: { now(): number }
  readonly random: { float(): number }
  readonly callMs: number
  /** Default: the default settings of a lane. */
  readonly policy?: LanePolicy | undefined
}

export class CallCircuit {
  readonly #leaseMs: number
  readonly lane: NodeLane

  constructor({ callMs, random, clock, store, policy = dependencyPolicy({}, store) }: CallCircuitParts) {
    this.#leaseMs = callMs + LEASE_SLACK_MS
    this.lane = new NodeLane({ name: store, policy, now: () => clock.now(), float: () => random.float() })
  }

  /** Returns the id under which the call must be reported, however it ends; undefined when it must not be made. */
  enter(): string | undefined {
    return this.lane.take(this.#leaseMs)
  }

  report(id: string, how: 'answered' | 'late' | 'failed'): void {
    this.lane.report(id, OUTCOMES[how])
  }
}

const OUTCOMES: Readonly<Record<'answered' | 'late' | 'failed', Outcome>> = {
  answered: 'success',
  late: 'overload',
  failed: 'neutral',
}
