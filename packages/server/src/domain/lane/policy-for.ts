// The policy of a model's lane by what an operator configured; what nobody has to know of stays as it is in `laneDefaults`.
// Used by the wiring, once for each lane.
import { adaptivePolicy } from './adaptive-policy.ts'
import type { LanePolicy } from './policy.ts'
import { referencePolicy } from './reference-policy.ts'
import { laneDefaults } from './settings.ts'
import type { CircuitFigures } from './settings.ts'

export interface LaneFigures {
  readonly lanes: {
    readonly policy: 'adaptive' | 'reference'
    readonly inFlightFloor: number
    readonly open: { readonly firstMs: number; readonly maxMs: number }
    readonly circuits: Readonly<Record<'primary' | 'economy', CircuitFigures>>
  }
  readonly retries: { readonly perTenSecondsMax: number; readonly firstsShareMax: number }
}

/** `role` is primary for the first model of the ladder and economy for all others. */
export function policyFor({ lanes, retries }: LaneFigures, role: 'primary' | 'economy'): LanePolicy {
  const { retry, limit, open } = laneDefaults
  const create = lanes.policy === 'adaptive' ? adaptivePolicy : referencePolicy
  return create({
    ...laneDefaults,
    circuit: lanes.circuits[role],
    open: { ...open, ...lanes.open },
    limit: { ...limit, floor: lanes.inFlightFloor },
    retry: { ...retry, countMax: retries.perTenSecondsMax, share: retries.firstsShareMax },
  })
}
