// The circuit of a dependency that is not a model (search, catalogue, session store, Redis), in one process. It uses the same
// code as the lanes of the models, and is viewed and operated by its name. Its state is not shared: each node judges by its own
// calls, and an operator's action lasts until the process ends.
import type { LaneView } from './lane-view.ts'
import { LocalLane } from './local-lane.ts'
import type { Outcome } from './outcome.ts'
import type { LanePolicy } from './policy.ts'
import type { Dependency } from './settings.ts'
import type { OperatorMark } from './state.ts'

export interface NodeLaneParts {
  readonly name: Dependency
  readonly policy: LanePolicy
  readonly now: () => number
  /** Uniform in [0, 1). */
  readonly float: () => number
}

export class NodeLane {
  readonly name: Dependency
  readonly #now: () => number
  readonly #lane: LocalLane
  #calls = 0
  #refusedCalls = 0
  #isPaused = false

  constructor({ name, policy, now, float }: NodeLaneParts) {
    this.name = name
    this.#now = now
    this.#lane = new LocalLane({ policy, float, now: now() })
  }

  /** Returns the id for `report`; undefined: the call must not be made. */
  take(leaseMs: number): string | undefined {
    const id = String((this.#calls += 1))
    if (!this.#isPaused && this.#lane.take({ id, ask: { kind: 'first' }, leaseMs }, this.#now()).kind === 'permit')
      return id
    this.#refusedCalls += 1
    return undefined
  }

  report(id: string, outcome: Outcome): void {
    this.#lane.report(id, outcome, this.#now())
  }

  /** How many calls were refused since the start of the process. */
  get refusedCalls(): number {
    return this.#refusedCalls
  }

  view(): LaneView {
    const view = this.#lane.view(this.#now())
    return { ...view, limit: view.limit === Number.POSITIVE_INFINITY ? null : view.limit }
  }

  /** Refuses every call without a change of the circuit: in a mode of the service that does without the dependency. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  get isForcedOpen(): boolean {
    return this.view().operator?.action === 'force-open'
  }

  operate(action: OperatorMark['action'], by: string): void {
    this.#lane.operate({ action, by, at: this.#now() })
  }

  /** Must be called at intervals, so that a lane without calls advances too. */
  tick(): void {
    this.#lane.tick(this.#now())
  }
}
