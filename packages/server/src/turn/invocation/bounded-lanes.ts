// Lanes limited to one node's connections: further calls wait in the queue, where waiting is fair and bounded, and not in a
// pool of sockets, where it would look like a slow model.
import type { Lanes } from '#ports/lanes/port.ts'

const SATURATED = { kind: 'refused', why: 'saturated' } as const

/** `connections` by lane; a lane without an entry is not limited. */
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
      // Counted before it is granted: two concurrent requests must not both get the last connection.
      calls.add(ask.id)
      const answer = await lanes.permit(lane, ask)
      if (answer.kind === 'refused') calls.delete(ask.id)
      return answer
    },
    async report(lane, permitId, outcome) {
      // First, because the report wakes the waiting calls.
      callsOf(lane).delete(permitId)
      await lanes.report(lane, permitId, outcome)
    },
  }
}
