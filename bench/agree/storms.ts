// The three storms of `agree.ts`, and how each is described: the simulation and the real processes play the same ones.
import { completeScenario } from '../../packages/simulation/src/scenario/scenario.ts'
import type { FleetScenario } from '../../packages/simulation/src/scenario/scenario.ts'

type Faults = FleetScenario['faults']

export const NODES = 3
/** So few that two cores with all these processes stay half idle: the simulation has no CPU. */
const ARRIVALS_PER_SECOND = 5
const FAULT_AT_S = 20
const DURATION_S = 80
/** People who send twice, leave or press stop are not what is compared. Those whose patience ran out ask again in both. */
const CALM = { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 }

const FAULTS: Readonly<Record<string, Faults>> = {
  blip: [{ kind: 'outage', atS: FAULT_AT_S, forS: 4, target: 'primary' }],
  flapping: [{ kind: 'flapping', atS: FAULT_AT_S, forS: 30, target: 'primary', periodS: 10, share: 0.5 }],
  brownout: [{ kind: 'brownout', atS: FAULT_AT_S, forS: 30, target: 'primary', share: 0.5 }],
}

export const STORMS: readonly FleetScenario[] = Object.entries(FAULTS).map(([name, faults]) =>
  completeScenario({
    name,
    about: `A small ${name} of the first model.`,
    nodes: NODES,
    arrivals: { perSecond: ARRIVALS_PER_SECOND },
    durationS: DURATION_S,
    people: CALM,
    faults,
  }),
)
