// Probes lanes whose circuit waits for a call, at the shop's cost, so that a recovered model serves the next shopper at
// once. Without it a lane without traffic would stay half-open for hours, and every client would slow down. The lane's own
// permits bound the number of probes over all nodes.
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Rung } from '../turn.ts'
import type { ProbeLane } from './probe-lane.ts'

export interface HealLanesParts {
  readonly lanes: Pick<Lanes, 'seen'>
  /** Models are asked in the normal mode only. */
  readonly settings: Pick<RunSettings, 'mode'>
  /** The rungs of the ladder, in order. */
  readonly rungs: readonly Rung[]
  readonly probeLane: ProbeLane
}

/** The number of probes in all stages together. */
const PROBES_PER_ROUND_MAX = 14

export function createHealLanes({ lanes, rungs, probeLane, settings }: HealLanesParts): () => Promise<void> {
  const isWaiting = ({ lane }: Rung) => lanes.seen(lane).phase === 'half-open' && settings.mode() === 'normal'

  async function heal(rung: Rung): Promise<void> {
    for (let probes = 0; probes < PROBES_PER_ROUND_MAX && isWaiting(rung); probes += 1) {
      if (!(await probeLane(rung))) return
    }
  }

  return async () => {
    // Models without facts are built in: they have no provider that could be down.
    await Promise.all(rungs.filter(({ model }) => model.facts !== undefined).map(heal))
  }
}
