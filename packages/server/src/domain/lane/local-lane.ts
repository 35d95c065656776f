// A lane in one process: its policy on its own counts. It ticks itself when it is used and a tick is due; its owner also ticks
// it at intervals, so that a lane without calls advances. The caller passes time and randomness.
import { LaneCounter } from './lane-counter.ts'
import type { PermitAnswer, PermitAsk } from './lane-counter.ts'
import { laneView } from './lane-view.ts'
import type { LaneView } from './lane-view.ts'
import { operate } from './operate.ts'
import type { Outcome } from './outcome.ts'
import type { LanePolicy } from './policy.ts'
import { startState } from './state.ts'
import type { LaneState, OperatorMark } from './state.ts'

export class LocalLane {
  readonly #policy: LanePolicy
  readonly #float: () => number
  readonly #counter: LaneCounter
  #state: LaneState

  constructor({
    policy,
    float,
    now,
    state = startState(policy.name, now),
  }: {
    readonly policy: LanePolicy
    readonly float: () => number
    readonly now: number
    /** The initial state. Default: a new lane. */
    readonly state?: LaneState
  }) {
    const { retry, limit } = policy.settings
    this.#policy = policy
    this.#float = float
    this.#state = state
    const noCounts = { cells: [], inFlight: 0, bucket: retry.bucketMin, failuresRunning: 0, successesRunning: 0 }
    const probes = { epoch: this.#state.epoch, taken: 0, passed: 0, failed: 0, lost: 0 }
    const gate = policy.gate(this.#state, { ...noCounts, probes }, now)
    const limits = { ...limit, bucketStart: retry.bucketMin }
    this.#counter = new LaneCounter(limits, gate)
  }

  take(ask: PermitAsk, now: number): PermitAnswer {
    this.#tickIfDue(now)
    return this.#counter.take(ask, now)
  }

  served(id: string, moment: { readonly now: number; readonly leaseMs: number }): void {
    this.#counter.served(id, moment)
    this.#tickIfDue(moment.now)
  }

  report(id: string, outcome: Outcome, now: number): void {
    this.#counter.report(id, outcome, now)
    this.#tickIfDue(now)
  }

  shed(now: number): void {
    this.#counter.shed(now)
  }

  tick(now: number): void {
    this.#counter.sweep(now)
    this.#set(this.#policy.tick(this.#state, this.#counter.counts(now), { now, float: this.#float() }), now)
  }

  operate(mark: OperatorMark): void {
    this.#set(operate(this.#state, mark), mark.at)
  }

  view(now: number): LaneView {
    const counts = this.#counter.counts(now)
    return laneView(this.#state, {
      counts,
      gate: this.#policy.gate(this.#state, counts, now),
      now,
      settings: this.#policy.settings,
    })
  }

  #tickIfDue(now: number): void {
    if (now - this.#state.tickedAt >= this.#policy.settings.tickMs) this.tick(now)
  }

  #set(state: LaneState, now: number): void {
    this.#state = state
    this.#counter.setGate(this.#policy.gate(state, this.#counter.counts(now), now))
  }
}
