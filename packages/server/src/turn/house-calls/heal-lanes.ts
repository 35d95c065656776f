// Probes a lane whose circuit waits for somebody to try it, at the shop's cost, so that a model that is well again serves at
// once when the next shopper comes. Without traffic nobody else would try: the lane stayed half-open for hours, and every
// client was told to slow down. The lane's own permits bound how many probes there are, on all nodes together.
import type { Lanes } from '#ports/lanes/port.ts'
import type { Rung } from '../turn.ts'
import type { ProbeLane } from './probe-lane.ts'

export interface HealLanesParts {
  readonly lanes: Pick<Lanes, 'seen' | 'maintenance'>
  /** Of the ladder, in its order. */
  readonly rungs: readonly Rung[]
  readonly probeLane: ProbeLane
}

/** As many as all stages of probes take. */
const PROBES_PER_ROUND_MAX = 14

export function createHealLanes({ lanes, rungs, probeLane }: HealLanesParts): () => Promise<void> {
  const isWaiting = ({ lane }: Rung) => lanes.seen(lane).phase === 'half-open' && lanes.maintenance() === null

  async function heal(rung: Rung): Promise<void> {
    for (let probes = 0; probes < PROBES_PER_ROUND_MAX && isWaiting(rung); probes += 1) {
      if (!(await probeLane(rung))) return
    }
  }

  return async () => {
    // Models without facts are our own: they have no provider that could be down.
    await Promise.all(rungs.filter(({ model }) => model.facts !== undefined).map(heal))
  }
}
