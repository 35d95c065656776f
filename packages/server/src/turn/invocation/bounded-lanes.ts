// Lanes as one node may use them: no more calls of a lane at once than it has connections for. Whoever is past that waits
// in the line, where waiting is fair and bounded, and not in a pool of sockets, where it would look like a slow model.
import type { Lanes } from '#ports/lanes/port.ts'

const SATURATED = { kind: 'refused', why: 'saturated' } as const

/** `connections` by the name of the lane; a lane that is not there has no bound. */
export function boundedLanes(lanes: Lanes, connections: ReadonlyMap<string, number>): Lanes {
  const underWay = new Map<string, Set<string>>()
  const callsOf = (lane: string): Set<string> => {
    const calls = underWay.get(lane) ?? new Set()
    underWay.set(lane, calls)
    return calls
  }
  return {
    ...lanes,
    async permit(lane, ask) {
      const calls = callsOf(lane)
      if (!calls.has(ask.id) && calls.size >= (connections.get(lane) ?? Number.POSITIVE_INFINITY)) return SATURATED
      // Counted before it is granted: two who ask at once must not both have the last connection.
      calls.add(ask.id)
      const answer = await lanes.permit(lane, ask)
      if (answer.kind === 'refused') calls.delete(ask.id)
      return answer
    },
    async report(lane, permitId, outcome) {
      // First, because whoever waits is woken by the report.
      callsOf(lane).delete(permitId)
      await lanes.report(lane, permitId, outcome)
    },
  }
}
