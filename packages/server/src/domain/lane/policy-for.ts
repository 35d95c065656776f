// Makes the policy of a lane from the configuration; settings that are not configurable come from `laneDefaults`.
// Used by the wiring for each lane of a model, and for the circuits of the other dependencies.
import { adaptivePolicy } from './adaptive-policy.ts'
import type { LanePolicy } from './policy.ts'
import { referencePolicy } from './reference-policy.ts'
import { CIRCUITS, laneDefaults } from './settings.ts'
import type { CircuitFigures, Dependency, LaneSettings, RemoteStore } from './settings.ts'

const STORE_OPEN_MAX_MS = 2000
const REMOTE_STORES: ReadonlySet<Dependency> = new Set<RemoteStore>(['redis', 'dynamodb'])

export interface LaneFigures {
  readonly lanes: {
    readonly policy: 'adaptive' | 'reference'
    readonly inFlightFloor: number
    readonly open: { readonly firstMs: number; readonly maxMs: number }
    readonly circuits: Readonly<Record<keyof typeof CIRCUITS, CircuitFigures>>
  }
  readonly retries: { readonly perTenSecondsMax: number; readonly firstsShareMax: number }
}

/** For callers without a configuration: read-only commands and simulated links. */
const LANES: LaneFigures['lanes'] = {
  policy: 'adaptive',
  inFlightFloor: laneDefaults.limit.floor,
  open: laneDefaults.open,
  circuits: CIRCUITS,
}

/** `role` is primary for the first model of the ladder and economy for all others. */
export function policyFor({ lanes, retries }: LaneFigures, role: 'primary' | 'economy'): LanePolicy {
  const { retry } = laneDefaults
  return created(lanes, {
    ...settingsOf(lanes, role),
    retry: { ...retry, countMax: retries.perTenSecondsMax, share: retries.firstsShareMax },
  })
}

export function dependencyPolicy(
  { lanes = LANES }: Partial<Pick<LaneFigures, 'lanes'>>,
  dependency: Dependency,
): LanePolicy {
  // It has no quota of calls, and no second one beside it: where it is overloaded, fewer calls at once help.
  const { trip, ...rest } = settingsOf(lanes, dependency)
  const settings = { ...rest, pace: null, trip: { ...trip, slowShare: 0 } }
  return created(lanes, REMOTE_STORES.has(dependency) ? storeSettings(settings) : settings)
}

function settingsOf(
  { circuits, inFlightFloor, open }: LaneFigures['lanes'],
  role: keyof typeof CIRCUITS,
): LaneSettings {
  return {
    ...laneDefaults,
    circuit: circuits[role],
    open: { ...laneDefaults.open, ...open },
    limit: { ...laneDefaults.limit, floor: inFlightFloor },
  }
}

/** Calls of a store are not limited: each takes milliseconds and has a short deadline, so holding some back gains nothing. */
function storeSettings(base: LaneSettings): LaneSettings {
  const unlimited = Number.POSITIVE_INFINITY
  return {
    ...base,
    tickMs: 25,
    limit: { ...base.limit, floor: unlimited, overloadsPerTick: unlimited, overloadHoldMs: 0, silentHoldMs: 0 },
    trip: { ...base.trip, windows: [{ ms: 500, callsMin: 10 }] },
    open: {
      ...base.open,
      firstMs: 250,
      maxMs: Math.min(STORE_OPEN_MAX_MS, base.circuit.openMs),
      // Every node probes by itself, and each probe keeps a shopper waiting.
      busyInFlight: unlimited,
    },
  }
}

function created({ policy }: LaneFigures['lanes'], settings: LaneSettings): LanePolicy {
  return policy === 'adaptive' ? adaptivePolicy(settings) : referencePolicy(settings)
}
