// Being one guest without a cookie: a guest token, kept, is exchanged for a short-lived ticket whenever one is needed. The
// token lives in memory as long as this does, whatever its keeper makes of it. Used by `address.ts` and by the widget.
import type { ErrorBody, Ticket } from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'
import type { GuestKeeper } from './types.ts'

export interface TicketsOptions {
  /** Where tickets are given: `…/api/ticket`. */
  readonly url: string
  readonly guest?: GuestKeeper | undefined
  /** A ticket is good for the origin that asked for it only, so this has to be the one that will use it. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Its abort ends a request under way. */
  readonly signal?: AbortSignal | undefined
  readonly request?: typeof fetch | undefined
}

export interface Tickets {
  /**
   * A new ticket. Throws `TicketUnavailable` for now, `ChatError` for good, and what the keeper throws. One exchange at a
   * time: two first ones at once would make two guests, and the conversation would belong to one of them.
   */
  renewed(): Promise<Ticket>
}

/** The network or the server could not give a ticket now; `cause` says why. */
export class TicketUnavailable extends Error {
  override readonly name = 'TicketUnavailable'
}

/** As much of the envelope as is needed; of a proxy's page, neither. */
interface Answer {
  readonly data?: Ticket
  readonly error?: ErrorBody
}

const answerWithinMs = 15_000

export function createTickets({ url, guest, headers, signal, request = fetch }: TicketsOptions): Tickets {
  let token: string | undefined
  let underWay: Promise<Ticket> | undefined

  async function exchange(): Promise<Ticket> {
    token ??= guest?.load()
    let answer = await ask(token)
    if (token !== undefined && isOneOf(answer, 'UNAUTHENTICATED', 'INVALID_REQUEST')) {
      // What that guest said is out of reach now: begin again as a new one.
      token = undefined
      guest?.forget?.()
      answer = await ask(token)
    }
    const { data, error } = answer
    if (error !== undefined && isOneOf(answer, 'UNAUTHENTICATED', 'FORBIDDEN')) throw new ChatError(error)
    if (data === undefined) throw new TicketUnavailable('The server gave no ticket.', { cause: error })
    token = data.guestToken
    guest?.save(token)
    return data
  }

  async function ask(guestToken: string | undefined): Promise<Answer> {
    const patience = AbortSignal.timeout(answerWithinMs)
    try {
      const response = await request(url, {
        method: 'POST',
        credentials: 'omit',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ guestToken }),
        signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
      })
      return ((await response.json()) as Answer | null) ?? {}
    } catch (cause) {
      throw new TicketUnavailable('The server cannot be asked for a ticket.', { cause })
    }
  }

  return {
    renewed() {
      underWay ??= exchange().finally(() => (underWay = undefined))
      return underWay
    },
  }
}

function isOneOf({ error }: Answer, ...codes: ErrorBody['code'][]): boolean {
  return error !== undefined && codes.includes(error.code)
}
