// Assigns units to the arms of experiments by a keyed hash: the same arm on every node and after every restart, and
// independent between layers. Experiments of one layer have disjoint ranges of its buckets, so a unit is in one of them at most.
import { createHmac } from 'node:crypto'
import type { Exposure } from './exposure.ts'

/** The arm under which the turns of the holdout are recorded; no experiment changes anything for it. */
export const HOLDOUT = 'holdout'
/** The arm that every other arm is compared with; it changes nothing. */
export const CONTROL = 'control'

export interface ExperimentSplit {
  readonly name: string
  readonly layer: string
  /** The part of the layer's buckets that takes part, from 0 to 1; `to` is not included. */
  readonly from: number
  readonly to: number
  /** The weight of each arm, relative to the others. */
  readonly arms: Readonly<Record<string, number>>
}

export interface Splitting {
  /** The secret of the hash, the same on all nodes. */
  readonly key: string
  /** The share of all units that is in no experiment. */
  readonly holdoutShare: number
  readonly experiments: readonly ExperimentSplit[]
}

/** The arm of a unit in each experiment that it takes part in; `holdout` in all of them for a unit of the holdout. */
export type Assign = (unit: string) => readonly Exposure[]

export function createAssign({ key, holdoutShare, experiments }: Splitting): Assign {
  const fraction = (purpose: string, name: string, unit: string): number =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, name, unit]))
      .digest()
      .readUIntBE(0, FRACTION_BYTES) /
    2 ** (8 * FRACTION_BYTES)

  return (unit) => {
    if (fraction('holdout', '', unit) < holdoutShare) {
      return experiments.map(({ name }) => ({ experiment: name, arm: HOLDOUT }))
    }
    return experiments.flatMap(({ name, layer, from, to, arms }) => {
      const bucket = fraction('layer', layer, unit)
      if (bucket < from || bucket >= to) return []
      const arm = armAt(arms, fraction('arm', name, unit))
      return arm === undefined ? [] : [{ experiment: name, arm }]
    })
  }
}

/** As many bits as a number holds exactly. */
const FRACTION_BYTES = 6

/** Arms in the order of their names, so that the order in the configuration does not matter. */
function armAt(arms: Readonly<Record<string, number>>, fraction: number): string | undefined {
  const sorted = Object.entries(arms).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = fraction * total
  for (const [arm, weight] of sorted) {
    if (rest < weight) return arm
    rest -= weight
  }
  return sorted.findLast(([, weight]) => weight > 0)?.[0]
}

/** Pairs of experiments of one layer that share buckets. */
export function overlaps(
  experiments: readonly Omit<ExperimentSplit, 'arms'>[],
): readonly (readonly [string, string])[] {
  return experiments.flatMap((one, index) =>
    experiments
      .slice(index + 1)
      .filter((other) => one.layer === other.layer && one.from < other.to && other.from < one.to)
      .map((other) => [one.name, other.name] as const),
  )
}
