// Which runs the table is made of, in the order they are made: a seed of everything before the next, so that a table that is
// stopped early is a table of fewer seeds.
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

/** Those before it were tuned on: these judge. */
export const FIRST_SEED = 1001

export function planOf({ scenarios, policies, seeds, seedsHeadline }: PlanParts): readonly Task[] {
  const seedsOf = (scenario: string) => (scenario === HEADLINE ? seedsHeadline : seeds)
  const most = Math.max(...scenarios.map(seedsOf))
  return Array.from({ length: most }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
    scenarios
      .filter((scenario) => seed < FIRST_SEED + seedsOf(scenario))
      .flatMap((scenario) => policies.map((policy) => ({ scenario, policy, seed }))),
  )
}

/** How much work a run of it is, compared with others: about as much as people come. */
export function weightOf({ arrivals, durationS }: FleetScenario): number {
  const { perSecond, shape } = arrivals
  const steps = [{ atS: 0, factor: 1 }, ...shape]
  const people = steps.reduce((sum, { atS, factor }, index) => {
    const untilS = Math.min(steps[index + 1]?.atS ?? durationS, durationS)
    return sum + Math.max(0, untilS - atS) * factor
  }, 0)
  return people * perSecond
}
