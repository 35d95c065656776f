// Requests of shoppers for a person: an inbox for the shop's staff. A conversation has at most one request that is not closed,
// and a request changes only from a state that the caller names, so that two members of staff never both take it.
import type { Language } from '@mangaassist/protocol'

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

/** Where a page ends. */
export interface HandoverPosition {
  readonly at: number
  readonly id: string
}

export interface HandoverPage {
  readonly state?: HandoverState
  readonly limit: number
  /** The last request of the page before. */
  readonly after?: HandoverPosition | undefined
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
  /** Removes at most `limit` requests that were made before; returns how many. */
  sweep(before: number, limit: number): Promise<number>
}
