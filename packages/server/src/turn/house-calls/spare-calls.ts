// Whether a lane has calls to spare for work without a reader. Bulk work (summaries, refreshed answers, the prewarm) needs a lane that is
// wholly at rest, so that it stops before any shopper's question waits; deferred questions need room only (`model-return.ts`).
import type { LaneView } from '#domain/lane/lane-view.ts'

/** The rest of the limit is for the questions that come until the next tick. */
const ROOM_SHARE = 0.8

/** How many calls may begin before the lane counts as full; not bounded where it has no limit. */
export function roomIn({ inFlight, limit }: LaneView): number {
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(limit * ROOM_SHARE - inFlight))
}

/** Why no bulk call may be made at a lane now; undefined: it may. `waiting`: how many turns of this node wait there. */
export function bulkRefused(view: LaneView, waiting: number): 'saturated' | 'circuit-open' | undefined {
  const { level, pace, phase, recent } = view
  // Nor is such a call a probe of a model that was out.
  if (phase === 'open' || phase === 'half-open') return 'circuit-open'
  const isAtRest = level === 'normal' && pace === null && recent.shed === 0 && waiting === 0
  return isAtRest && roomIn(view) > 0 ? undefined : 'saturated'
}
