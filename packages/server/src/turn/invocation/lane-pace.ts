// How fast a lane's slots come free on this node, learnt from how long its calls take and how many run at once: what the
// line before it expects of a turn until it has seen some itself.
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'

/** What a whole answer takes, before any was seen. */
const AT_FIRST_MS = 3000
/** How much the newest call counts. */
const WEIGHT = 0.2

interface Pace {
  readonly since: Map<string, number>
  callMs: number | undefined
}

export interface PacedLanes {
  readonly lanes: Lanes
  /** Between two slots that come free, while the lane is full. */
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
        // Only what was answered shows how long an answer takes.
        if (from !== undefined && outcome === 'success') {
          const tookMs = clock.now() - from
          pace.callMs = pace.callMs === undefined ? tookMs : pace.callMs + WEIGHT * (tookMs - pace.callMs)
        }
        await lanes.report(lane, permitId, outcome)
      },
    },
  }
}
