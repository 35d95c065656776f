// Assembles the part of experiments in a turn: which run now, the arms of a user, and the settings of the arms.
import type { Config } from '#config/config.ts'
import { armRouting } from '#domain/experiments/arm-routing.ts'
import type { ExperimentStates } from '#domain/experiments/experiment-state.ts'
import type { RoutingSettings } from '#domain/routing/routing-settings.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { runningExperiments } from '#domain/experiments/running-experiments.ts'
import type { RunningExperiments } from '#domain/experiments/running-experiments.ts'
import type { Limits } from '#services/principal-limits.ts'
import { createFindArms } from '#turn/context/arms.ts'
import type { FindArms } from '#turn/context/arms.ts'
import type { TurnRecorder } from '#turn/records/recorder.ts'
import type { RouterParts } from '#turn/routing/router.ts'
import type { Ports } from './app-ports.ts'

export interface Experiments {
  readonly findArms: FindArms
  readonly settingsFor: RouterParts['settingsFor']
  /** Whether a question may be routed now, by the configuration or by an arm. */
  readonly isRouting: () => boolean
}

interface ExperimentParts {
  readonly limits: Pick<Limits, 'experiments'>
  readonly recorder: TurnRecorder
  readonly settings: Pick<RunSettings, 'isOff'>
}

export function createExperiments(
  { armPrompts, clock }: Ports,
  config: Config,
  { limits, recorder, settings }: ExperimentParts,
): Experiments {
  const hasAny = Object.keys(config.experiments.list).length > 0
  let known: { readonly states: ExperimentStates; readonly running: RunningExperiments | undefined } | undefined

  /** Computed again when the poll has brought other states. */
  function running(): RunningExperiments | undefined {
    if (!hasAny) return undefined
    const states = limits.experiments()
    if (known?.states !== states)
      known = { states, running: runningExperiments(config.experiments, states, armPrompts) }
    return known.running
  }

  const switched = (routing: RoutingSettings): RoutingSettings =>
    settings.isOff('routing') ? { ...routing, enabled: false } : routing

  return {
    findArms: createFindArms({ clock, records: recorder, running }),
    isRouting: () => !settings.isOff('routing') && (config.routing.enabled || running()?.mayRoute === true),
    settingsFor({ arms, start }) {
      if (arms === undefined) return { routing: switched(config.routing), exposures: [], unit: start.principal.id }
      const { change, exposures, unit } = arms
      const prompts = change.prompts === undefined ? undefined : armPrompts?.get(change.prompts)
      return {
        routing: switched(armRouting(config.routing, change)),
        exposures,
        unit,
        ...(prompts === undefined ? {} : { prompts }),
        ...(change.temperature === undefined ? {} : { temperature: change.temperature }),
        ...(change.maxTokens === undefined ? {} : { outputTokensMax: change.maxTokens }),
      }
    },
  }
}
