// Requests for a person in memory: for tests, and the oracle of the other adapters.
import type { HandoverPosition, HandoverRequest, HandoverRequests } from '#ports/handover-requests/port.ts'

export function memoryHandoverRequests(kept = new Map<string, HandoverRequest>()): HandoverRequests {
  const those = (which: (request: HandoverRequest) => boolean) => [...kept.values()].filter(which).sort(newestFirst)

  function remove(requests: readonly HandoverRequest[]): number {
    for (const { id } of requests) kept.delete(id)
    return requests.length
  }

  return {
    async add(asked, limit) {
      const known = those(({ sessionId, state }) => sessionId === asked.sessionId && state !== 'closed')[0]
      if (known !== undefined) return known
      const own = those(({ at, principalId }) => principalId === asked.principalId && at > (limit?.since ?? 0))
      if (limit !== undefined && own.length >= limit.max) return undefined
      const request: HandoverRequest = { ...asked, state: 'open' }
      kept.set(request.id, request)
      return request
    },
    find: async (id) => kept.get(id),
    async move(id, { changed, from, to }) {
      const request = kept.get(id)
      if (request === undefined || !from.includes(request.state)) return undefined
      const moved = { ...request, state: to, changed }
      kept.set(id, moved)
      return moved
    },
    async list({ after, limit, state }) {
      const found = those((request) => state === undefined || request.state === state)
      return found.filter((request) => after === undefined || newestFirst(after, request) < 0).slice(0, limit)
    },
    ofSession: async (sessionId) => those((request) => request.sessionId === sessionId),
    ofPrincipal: async (principalId) => those((request) => request.principalId === principalId),
    async forget(of) {
      return remove(
        those((request) =>
          'sessionId' in of ? request.sessionId === of.sessionId : request.principalId === of.principalId,
        ),
      )
    },
    async adopt(guestId, userId) {
      for (const request of those(({ principalId }) => principalId === guestId))
        kept.set(request.id, { ...request, principalId: userId })
    },
    sweep: async (before, limit) => remove(those(({ at }) => at < before).slice(-limit)),
  }
}

function newestFirst(a: HandoverPosition, b: HandoverPosition): number {
  return b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}
