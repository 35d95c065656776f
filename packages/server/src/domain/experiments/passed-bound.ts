// Whether an arm has passed a bound of the guard, by an always-valid interval: the guard checks each minute, and an estimate
// alone would pass a bound by accident sooner or later. Pure.
import type { GuardBounds } from './experiment-settings.ts'
import { ALPHA, differenceInterval, shareLow } from './statistics.ts'
import type { Sample } from './statistics.ts'
import type { ArmFigures } from './tally.ts'

const TURNS_MIN = 200

export interface BoundCheck {
  readonly control: ArmFigures
  readonly bounds: GuardBounds
  /** How many arms are checked: they and their bounds share the 5 %. */
  readonly arms: number
}

/** The passed bound in words; undefined while it is not sure that the arm has passed one. */
export function passedBound(own: ArmFigures, { control, bounds, arms }: BoundCheck): string | undefined {
  const { turnsMin = TURNS_MIN, errorShareMax, costRatioMax } = bounds
  if (Math.min(own.turns, control.turns) < turnsMin) return undefined
  const checks = arms * [errorShareMax, costRatioMax].filter((bound) => bound !== undefined).length
  const alpha = ALPHA / checks
  const samples = (outcome: 'errors' | 'cost') => [own.samples[outcome], control.samples[outcome]] as const
  return (
    (errorShareMax === undefined ? undefined : passedErrors(...samples('errors'), { max: errorShareMax, alpha })) ??
    (costRatioMax === undefined ? undefined : passedCost(...samples('cost'), { max: costRatioMax, alpha }))
  )
}

interface Bound {
  readonly max: number
  readonly alpha: number
}

function passedErrors(own: Sample, control: Sample, { max, alpha }: Bound): string | undefined {
  const low = shareLow(own, alpha)
  // While control fails too, a vendor is down: that is no fault of the arm unless it fails far more often.
  const isOfArm = control.mean <= max || own.mean > 2 * control.mean
  if (low <= max || !isOfArm) return undefined
  return `${percent(own.mean)} of the turns of ${own.units} shoppers failed (surely over ${percent(low)}); errorShareMax is ${percent(max)}`
}

function passedCost(own: Sample, control: Sample, { max, alpha }: Bound): string | undefined {
  const allowed = { ...control, mean: max * control.mean, variance: max ** 2 * control.variance }
  const excess = differenceInterval(own, allowed, alpha)
  if (excess === undefined || excess.low <= 0) return undefined
  const ratio = (own.mean / control.mean).toFixed(2)
  return `a turn costs ${ratio} times control's with ${own.units} shoppers; costRatioMax is ${max}`
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
