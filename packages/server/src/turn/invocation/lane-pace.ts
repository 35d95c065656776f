// How fast a lane's slots become free on this node, learned from the duration and concurrency of its calls: the queue's
// first expectation of a wait.
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'

/** The expected duration of an answer before any was seen. */
const AT_FIRST_MS = 3000
/** The weight of the newest call. */
const WEIGHT = 0.2

interface Pace {
  readonly since: Map<string, number>
  callMs: number | undefined
}

export interface PacedLanes {
  readonly lanes: Lanes
  /** The time between two slots that become free while the lane is full. */
  readonly intervalMs: (lane: string) => number
}

export function pacedLanes(lanes: Lanes, clock: Pick<Clock, 'now'>): PacedLanes {
  const paces = new Map<string, Pace>()
  const paceOf = (lane: string): Pace => {
    const pace = paces.get(lane) ?? { since: new Map<string, number>(), callMs: undefined }
    paces.set(lane, pace)
    return pace
  }
  return {
    intervalMs(lane) {
      const { since, callMs = AT_FIRST_MS } = paceOf(lane)
      return Math.max(1, callMs / Math.max(1, since.size))
    },
    lanes: {
      ...lanes,
      async permit(lane, ask) {
        const answer = await lanes.permit(lane, ask)
        if (answer.kind === 'permit') paceOf(lane).since.set(answer.permit.id, clock.now())
        return answer
      },
      async report(lane, permitId, outcome) {
        const pace = paceOf(lane)
        const from = pace.since.get(permitId)
        pace.since.delete(permitId)
        // Only answered calls show how long an answer takes.
        if (from !== undefined && outcome === 'success') {
          const tookMs = clock.now() - from
          pace.callMs = pace.callMs === undefined ? tookMs : pace.callMs + WEIGHT * (tookMs - pace.callMs)
        }
        await lanes.report(lane, permitId, outcome)
      },
    },
  }
}
