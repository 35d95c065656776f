// The arms of the experiments that a turn's user is in. Nothing is read while none runs. The unit of a user, who may have been a
// guest before, is read once a minute; a unit that is not known in time is in no arm, because it could get the wrong one.
import type { RunningExperiments } from '#domain/experiments/running-experiments.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Scope } from '#ports/telemetry/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'
import type { AssignedArms } from '../turn.ts'

export interface ArmsParts {
  readonly clock: Clock
  readonly records: Pick<TurnRecords, 'unitOf'>
  /** Undefined while no experiment runs. */
  readonly running: () => RunningExperiments | undefined
}

/** Never rejects. */
export type FindArms = (
  principal: Principal,
  limit: { readonly signal: AbortSignal; readonly scope: Scope },
) => Promise<AssignedArms | undefined>

const UNIT_MS = 50
const UNITS_KEPT_MAX = 10_000
const UNIT_FRESH_MS = 60_000

export function createFindArms({ clock, records, running }: ArmsParts): FindArms {
  const units = new BoundedMap<string, { readonly unit: string; readonly until: number }>(UNITS_KEPT_MAX)

  async function unitOf({ id, kind }: Principal, limit: Parameters<FindArms>[1]): Promise<string | undefined> {
    if (kind !== 'user') return id
    const known = units.get(id)
    if (known !== undefined && clock.now() < known.until) return known.unit
    const { scope, signal } = limit
    try {
      const unit = await withDeadline(clock, { ms: UNIT_MS, signal }, () => records.unitOf(id))
      if (unit !== LATE) {
        units.set(id, { unit, until: clock.now() + UNIT_FRESH_MS })
        return unit
      }
      if (!signal.aborted) scope.count('context_timeout_total', { source: 'unit' })
    } catch (error) {
      scope.log('warn', 'context.failed', { source: 'unit' }, error)
    }
    return undefined
  }

  return async function findArms(principal, limit) {
    if (running() === undefined) return undefined
    const unit = await unitOf(principal, limit)
    const experiments = running()
    if (unit === undefined || experiments === undefined) return undefined
    const exposures = experiments.armsOf(unit)
    return { unit, exposures, change: experiments.changeOf(exposures) }
  }
}
