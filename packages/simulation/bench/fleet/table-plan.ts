// The runs of the comparison in their order: one seed of everything before the next, so that an interrupted comparison
// has fewer seeds of everything.
import type { PolicyName } from '../../src/fleet/fleet-run.ts'
import type { FleetScenario } from '../../src/scenario/scenario.ts'

export const HEADLINE = 'throttle'

export interface Task {
  readonly scenario: string
  readonly policy: PolicyName
  readonly seed: number
}

export interface PlanParts {
  readonly scenarios: readonly string[]
  readonly policies: readonly PolicyName[]
  readonly seeds: number
  readonly seedsHeadline: number
}

/** Earlier seeds were used for tuning; these are used only for results. */
export const FIRST_SEED = 2001

export function planOf({ scenarios, policies, seeds, seedsHeadline }: PlanParts): readonly Task[] {
  const seedsOf = (scenario: string) => (scenario === HEADLINE ? seedsHeadline : seeds)
  const most = Math.max(...scenarios.map(seedsOf))
  return Array.from({ length: most }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
    scenarios
      .filter((scenario) => seed < FIRST_SEED + seedsOf(scenario))
      .flatMap((scenario) => policies.map((policy) => ({ scenario, policy, seed }))),
  )
}

/** Relative work of a run: about its number of arrivals. */
export function weightOf({ arrivals, durationS }: FleetScenario): number {
  const { perSecond, shape } = arrivals
  const steps = [{ atS: 0, factor: 1 }, ...shape]
  const people = steps.reduce((sum, { atS, factor }, index) => {
    const untilS = Math.min(steps[index + 1]?.atS ?? durationS, durationS)
    return sum + Math.max(0, untilS - atS) * factor
  }, 0)
  return people * perSecond
}
