// Builds the configuration of a simulated node: the base with the scenario's settings and models. Used by every run.
import { ConfigSchema } from '@mangaassist/server/config/config'
import type { Config } from '@mangaassist/server/config/config'
import { checkShape, isObject } from '@mangaassist/server/config/load/check-shape'
import { ConfigError } from '@mangaassist/server/config/load/problem'
import type { FleetScenario } from '../scenario/scenario.ts'

/** Throws a ConfigError for an invalid or unknown setting. */
export function fleetConfig(base: Config, scenario: FleetScenario): Config {
  const models = Object.fromEntries(
    scenario.ladder.map(({ name, model }) => [name, { provider: 'bedrock' as const, id: model, region: name }]),
  )
  const ladder = scenario.ladder.map(({ name }) => name)
  const settings = Object.entries(scenario.settings)
  const config = settings.reduce<unknown>((value, [path, setting]) => withSetting(value, path.split('.'), setting), {
    ...base,
    models,
    ladder,
    // Format probes check a vendor's format, which is always valid here; a scenario may turn them on.
    probe: { ...base.probe, everyMs: 0 },
    // A simulated crowd spends more in a day than a small shop; a scenario may set its own ceilings.
    budgets: { storeMicroUsdPerDay: Number.MAX_SAFE_INTEGER, guestsMicroUsdPerDay: Number.MAX_SAFE_INTEGER },
  })
  const problems = checkShape(ConfigSchema, config, {
    path: '',
    sourceOf: (path) => `settings of ${scenario.name}: ${path}`,
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return config as Config
}

function withSetting(value: unknown, [name, ...rest]: readonly string[], setting: unknown): unknown {
  if (name === undefined) return setting
  const section = isObject(value) ? value : {}
  return { ...section, [name]: withSetting(section[name], rest, setting) }
}
