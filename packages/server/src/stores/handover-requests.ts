// Requests of shoppers for a person: an inbox for the shop's staff. A conversation has at most one request that is not closed,
// and a request changes only from a state that the caller names, so that two members of staff never both take it.
import type { Language } from '@mangaassist/protocol'
import type { RecordChange, Kind, Position, RecordStore, Where } from '#ports/records/port.ts'

/** How long a request is kept; it goes with its conversation or its person before. */
export const HANDOVER_KEEP_MS = 30 * 86_400_000

/** `open`: it waits for the staff. `taken`: a member of staff sees to it. */
export type HandoverState = 'open' | 'taken' | 'closed'

export interface HandoverRequest {
  readonly id: string
  readonly sessionId: string
  readonly principalId: string
  readonly language: Language
  /** When the shopper asked. */
  readonly at: number
  readonly state: HandoverState
  /** The last turn of the conversation when it was asked. */
  readonly turnId?: string
  /** What the shopper gave: where to answer, what it is about. */
  readonly email?: string
  readonly orderNumber?: string
  readonly note?: string
  /** The last change of the state. */
  readonly changed?: HandoverChange
}

export interface HandoverChange {
  readonly at: number
  /** The operator. */
  readonly by: string
  readonly reason: string
}

export interface HandoverPage {
  readonly state?: HandoverState
  readonly limit: number
  /** The last request of the page before. */
  readonly after?: Position | undefined
}

export interface HandoverMove {
  readonly from: readonly HandoverState[]
  readonly to: HandoverState
  readonly changed: HandoverChange
}

/** How many requests of one person are stored. */
export interface HandoverLimit {
  readonly max: number
  /** Only requests after this time are counted. */
  readonly since: number
}

export interface HandoverRequests {
  /**
   * Stores an open request. If the conversation has one that is not closed, that one is returned and nothing is stored. Undefined
   * when the person's limit is reached: the count and the write are one step, whichever node makes it.
   */
  add(request: Omit<HandoverRequest, 'state' | 'changed'>, limit?: HandoverLimit): Promise<HandoverRequest | undefined>
  find(id: string): Promise<HandoverRequest | undefined>
  /** Returns the request after the change; undefined when there is none in one of the states `from`. */
  move(id: string, move: HandoverMove): Promise<HandoverRequest | undefined>
  /** Newest first. */
  list(page: HandoverPage): Promise<readonly HandoverRequest[]>
  /** Newest first. */
  ofSession(sessionId: string): Promise<readonly HandoverRequest[]>
  /** Newest first. */
  ofPrincipal(principalId: string): Promise<readonly HandoverRequest[]>
  /** Removes requests; returns how many. */
  forget(of: { readonly principalId: string } | { readonly sessionId: string }): Promise<number>
  /** Makes a guest's requests a user's. A repeat completes it. */
  adopt(guestId: string, userId: string): Promise<void>
  /** Removes at most `limit` requests that were kept for `HANDOVER_KEEP_MS`; returns how many. */
  sweep(limit: number): Promise<number>
}

const key = (name: string) => `ma:{handovers}:${name}`

/** They are few, so all have one home. */
export const HANDOVERS: Kind<HandoverRequest> = {
  name: 'handover_requests',
  fields: ({ at, id, principalId, sessionId, state }) => ({ id, sessionId, principalId, at, state }),
  id: 'id',
  time: 'at',
  indexes: ['state', 'sessionId', 'principalId'],
  keepMs: HANDOVER_KEEP_MS,
  sqlite: {
    body: 'given',
    pack: ({ at: _, id: __, principalId: ___, sessionId: ____, state: _____, ...given }) => given,
    unpack: (given, fields) => ({ ...fields, ...(given as object) }) as unknown as HandoverRequest,
  },
  redis: {
    records: () => key('requests'),
    all: () => key('all'),
    list: (_, field, value) =>
      key(field === 'state' ? String(value) : `${field === 'sessionId' ? 'in' : 'of'}:${value}`),
    pack: (request) => request,
    unpack: (json) => json as HandoverRequest,
  },
}

const HOME = ''
/** How many requests of a person or a conversation are read at once. */
const READ_MAX = 1000

export function createHandoverRequests({ records }: { readonly records: RecordStore }): HandoverRequests {
  const requests = records.open(HANDOVERS)
  const ofSession = (sessionId: string) => ({ by: 'sessionId', is: sessionId })
  const ofPrincipal = (principalId: string) => ({ by: 'principalId', is: principalId })

  return {
    add: (asked, limit) =>
      requests.change(
        HOME,
        { same: ofSession(asked.sessionId), own: { ...ofPrincipal(asked.principalId), since: limit?.since ?? 0 } },
        ({ own, same }): RecordChange<HandoverRequest, HandoverRequest | undefined> => {
          const known = same.find(({ state }) => state !== 'closed')
          if (known !== undefined) return { result: known }
          if (limit !== undefined && own.length >= limit.max) return { result: undefined }
          const request: HandoverRequest = { ...asked, state: 'open' }
          return { put: [request], result: request }
        },
      ),
    find: async (id) => (await requests.list(HOME, { by: 'id', is: id, limit: 1 }))[0],
    move: (id, { changed, from, to }) =>
      requests.change(
        HOME,
        { own: { by: 'id', is: id } },
        ({ own: [request] }): RecordChange<HandoverRequest, HandoverRequest | undefined> => {
          if (request === undefined || !from.includes(request.state)) return { result: undefined }
          const moved = { ...request, state: to, changed }
          return { put: [moved], result: moved }
        },
      ),
    list: ({ state, ...page }) => requests.list(HOME, state === undefined ? page : { ...page, by: 'state', is: state }),
    ofSession: (sessionId) => requests.list(HOME, { ...ofSession(sessionId), limit: READ_MAX }),
    ofPrincipal: (principalId) => requests.list(HOME, { ...ofPrincipal(principalId), limit: READ_MAX }),
    forget(of) {
      const where: Where = 'sessionId' in of ? ofSession(of.sessionId) : ofPrincipal(of.principalId)
      return requests.change(HOME, { gone: where }, ({ gone }) => ({ remove: gone, result: gone.length }))
    },
    adopt: (guestId, userId) =>
      requests.change(HOME, { own: ofPrincipal(guestId) }, ({ own }) => ({
        put: own.map((request) => ({ ...request, principalId: userId })),
        result: undefined,
      })),
    sweep: (limit) => requests.sweep(limit),
  }
}
