// The experiments that run now, from the configuration and what operators have started and stopped: who is in which arm, and
// what the arms change. Pure.
import { createAssign } from './assign.ts'
import { splitOf, startDigest } from './experiment-settings.ts'
import type { ArmChange, ArmPromptVersions, ExperimentSettings } from './experiment-settings.ts'
import { isRunning } from './experiment-state.ts'
import type { ExperimentState, ExperimentStates } from './experiment-state.ts'
import type { Exposure } from './exposure.ts'

export interface RunningExperiments {
  readonly names: readonly string[]
  /** An arm switches routing on. */
  readonly mayRoute: boolean
  /** The arms of a unit, without those that the guard has stopped. */
  readonly armsOf: (unit: string) => readonly Exposure[]
  /** What the arms change together; arms of different layers change different settings. */
  readonly changeOf: (exposures: readonly Exposure[]) => ArmChange
}

/** Undefined while none runs. */
export function runningExperiments(
  settings: ExperimentSettings,
  { key, states }: ExperimentStates,
  armPrompts?: ArmPromptVersions,
): RunningExperiments | undefined {
  const { holdoutShare, list } = settings
  const running = Object.entries(list).flatMap(([name, definition]) => {
    const [split, state] = [splitOf(name, definition), states.get(name)]
    return isAsStarted(state, startDigest(name, settings, armPrompts)) ? [{ split, state }] : []
  })
  if (key === undefined || running.length === 0) return undefined
  const assign = createAssign({ key, holdoutShare, experiments: running.map(({ split }) => split) })
  const stopped = new Map(
    running.map(({ split, state }) => [split.name, new Set(Object.keys(state.stoppedArms ?? {}))]),
  )
  return {
    names: running.map(({ split }) => split.name),
    mayRoute: running.some(({ split }) =>
      Object.values(list[split.name]?.arms ?? {}).some(({ change }) => change?.routing === true),
    ),
    armsOf: (unit) => assign(unit).filter(({ experiment, arm }) => stopped.get(experiment)?.has(arm) !== true),
    changeOf: (exposures) =>
      Object.assign({}, ...exposures.map(({ experiment, arm }) => list[experiment]?.arms[arm]?.change)) as ArmChange,
  }
}

/** It runs, and this node's configuration still splits and changes as when it was started. */
export function isAsStarted(state: ExperimentState | undefined, digest: string): state is ExperimentState {
  return isRunning(state) && state.split === digest
}
