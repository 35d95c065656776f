// The configured experiments. Nothing of them runs until an operator starts one.
import { createHash } from 'node:crypto'
import type { RoutingRule, RoutingSettings } from '../routing/routing-settings.ts'
import type { ExperimentSplit } from './assign.ts'
import type { ExperimentOutcome } from './outcomes.ts'

export interface ExperimentSettings {
  readonly holdoutShare: number
  /** By name. */
  readonly list: Readonly<Record<string, ExperimentDefinition>>
}

export interface ExperimentDefinition {
  readonly layer?: string
  readonly from?: number
  readonly to?: number
  readonly arms: Readonly<Record<string, ArmDefinition>>
  /** The outcome that decides; the others are for information. */
  readonly outcome: ExperimentOutcome
  readonly guard?: GuardBounds
}

export interface ArmDefinition {
  readonly weight: number
  /** Absent in control. */
  readonly change?: ArmChange
}

/** How an arm differs from the configuration; absent fields are not changed. */
export interface ArmChange {
  /** Folder of the arm's own system prompts. */
  readonly prompts?: string
  /** Whether questions are routed. */
  readonly routing?: boolean
  readonly levels?: Partial<RoutingSettings['levels']>
  /** In place of the configured rules. */
  readonly rules?: readonly RoutingRule[]
  readonly temperature?: number
  /** The longest answer in tokens; the user's own limit still holds. */
  readonly maxTokens?: number
}

export interface GuardBounds {
  /** The share of a shopper's turns that may fail, on average over the arm's shoppers. */
  readonly errorShareMax?: number
  /** How many times control's cost a turn of the arm may cost, on average over shoppers. */
  readonly costRatioMax?: number
  /** Below this number of turns, in the arm and in control, nothing is stopped. */
  readonly turnsMin?: number
}

const DEFAULT_LAYER = 'answers'

export function splitOf(
  name: string,
  { layer = DEFAULT_LAYER, from = 0, to = 1, arms }: ExperimentDefinition,
): ExperimentSplit {
  return { name, layer, from, to, arms: weightsOf(arms) }
}

export function weightsOf(arms: ExperimentDefinition['arms']): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(arms).map(([arm, { weight }]) => [arm, weight]))
}

/** The version of the prompts in each folder that an arm names. */
export type ArmPromptVersions = ReadonlyMap<string, { readonly version: string }>

/**
 * The same for definitions that assign every unit alike and change the same in each arm. Prompts count by their version: their
 * folder may be another on each node, and its files may be edited.
 */
export function startDigest(
  name: string,
  { holdoutShare, list }: ExperimentSettings,
  armPrompts: ArmPromptVersions = new Map(),
): string {
  const definition = list[name]
  if (definition === undefined) throw new RangeError(`${name} is not configured`)
  const { layer, from, to } = splitOf(name, definition)
  const arms = Object.entries(definition.arms).map(([arm, { weight, change = {} }]) => {
    const version = change.prompts === undefined ? undefined : armPrompts.get(change.prompts)?.version
    return [arm, { weight, change: version === undefined ? change : { ...change, prompts: version } }] as const
  })
  return createHash('sha256')
    .update(JSON.stringify([holdoutShare, layer, from, to, Object.fromEntries(arms)], sortedKeys))
    .digest('hex')
    .slice(0, DIGEST_LENGTH)
}

const DIGEST_LENGTH = 16

/** For JSON.stringify: the order of the fields in the configuration does not matter. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
