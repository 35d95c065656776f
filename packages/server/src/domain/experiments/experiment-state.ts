// What operators have done with the configured experiments: which run, since when and why, and which arms the guard has
// stopped. The same on all nodes.

export interface ExperimentState {
  readonly startedAt: number
  readonly startedBy: string
  readonly reason: string
  /** A digest of the split and the changes that it was started with: a node that is configured otherwise does not run it. */
  readonly split: string
  readonly stopped?: ExperimentStop
  /** Arms that were stopped alone; their units get control's settings and are not exposed. */
  readonly stoppedArms?: Readonly<Record<string, ExperimentStop>>
}

export interface ExperimentStop {
  readonly at: number
  /** The operator, or `guard`. */
  readonly by: string
  readonly reason: string
}

export interface ExperimentStates {
  readonly states: ReadonlyMap<string, ExperimentState>
  /** The secret of the hash that assigns arms; absent until the first start. */
  readonly key?: string
}

export const NO_EXPERIMENTS: ExperimentStates = { states: new Map() }

export const isRunning = (state: ExperimentState | undefined): state is ExperimentState =>
  state !== undefined && state.stopped === undefined
