// Reads and checks the flags of `mangaassist fleet` before anything runs: scenario, policies, seed and settings.
import type { PolicyName } from '../../fleet/fleet-run.ts'
import { policies } from '../../policies/policies.ts'
import { loadFleetScenario } from '../../scenario/bundled.ts'
import { FleetScenarioError } from '../../scenario/read-scenario.ts'
import type { FleetScenario } from '../../scenario/scenario.ts'
import { nearest } from '@mangaassist/server/lib/text/nearest'
import { CommandError, UsageError } from '@mangaassist/server/cli/command'

const SCENARIO_DEFAULT = 'throttle'
const NODES_MAX = 1000
const SETTING = /^([a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z][a-zA-Z0-9-]*)*)=(.*)$/s

/** In display order: the baselines first, ours last. */
const POLICY_NAMES = Object.keys(policies) as readonly PolicyName[]

export interface ScenarioFlags {
  readonly scenario?: string | undefined
  readonly nodes?: string | undefined
  readonly set?: readonly string[] | undefined
}

export function scenarioOf({ scenario: name = SCENARIO_DEFAULT, nodes, set = [] }: ScenarioFlags): FleetScenario {
  const settings = Object.fromEntries(set.map(settingOf))
  const count = wholeNumber('--nodes', nodes, { min: 1, max: NODES_MAX })
  const scenario = loaded(name)
  return { ...scenario, nodes: count ?? scenario.nodes, settings: { ...scenario.settings, ...settings } }
}

export function policiesOf(given = 'ours'): readonly PolicyName[] {
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => name !== 'all' && !Object.hasOwn(policies, name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, [...POLICY_NAMES, 'all'])
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new UsageError(`There is no policy ${JSON.stringify(unknown)}: ${POLICY_NAMES.join(', ')} or all.${hint}`)
  }
  return names.includes('all') ? POLICY_NAMES : POLICY_NAMES.filter((name) => names.includes(name))
}

export function seedOf(given: string | undefined): number {
  return wholeNumber('--seed', given, { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 1
}

function loaded(name: string): FleetScenario {
  try {
    return loadFleetScenario(name)
  } catch (error) {
    if (error instanceof FleetScenarioError) throw new CommandError(error.message, { cause: error })
    throw error
  }
}

function settingOf(given: string): readonly [path: string, value: unknown] {
  const [, path, value] = SETTING.exec(given) ?? []
  if (path !== undefined && value !== undefined) return [path, valueOf(value)]
  throw new UsageError(`--set takes path=value, such as lanes.open.maxMs=4000, not ${JSON.stringify(given)}.`)
}

/** Parses the text as JSON; text that is not JSON is taken literally. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function wholeNumber(flag: string, given: string | undefined, { min, max }: { min: number; max: number }) {
  if (given === undefined) return undefined
  const value = /^\d+$/.test(given) ? Number(given) : NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${flag} takes a whole number from ${min} to ${max}, not ${JSON.stringify(given)}.`)
}
