// Spares callers the wait for a Redis that does not answer: the circuit of the lane `redis`. Only late replies open it,
// because a call that fails at once makes no caller wait. The connection uses it around every call.
import { NodeLane } from '#domain/lane/node-lane.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'

/** Longer than a call's own deadline: its report always comes first. */
const LEASE_SLACK_MS = 5000

export interface CallCircuitParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'float'>
  readonly callMs: number
  /** Default: the default settings of a lane. */
  readonly policy?: LanePolicy
}

export class CallCircuit {
  readonly #leaseMs: number
  readonly lane: NodeLane

  constructor({ callMs, random, clock, policy = dependencyPolicy({}, 'redis') }: CallCircuitParts) {
    this.#leaseMs = callMs + LEASE_SLACK_MS
    this.lane = new NodeLane({ name: 'redis', policy, now: () => clock.now(), float: () => random.float() })
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
