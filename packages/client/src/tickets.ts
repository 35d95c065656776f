// Identity of a guest without a cookie: a guest token is exchanged for a short-lived ticket whenever one is needed. The
// token stays in memory, even if the GuestKeeper does not store it. Used by `address.ts` and by the widget.
import type { ErrorBody, Ticket } from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'
import type { GuestKeeper } from './types.ts'

type Headers = Readonly<Record<string, string>>

export interface TicketsOptions {
  /** The address of the route for tickets: `…/api/ticket`. */
  readonly url: string
  readonly guest?: GuestKeeper | undefined
  /**
   * Headers of the request; a function is called for each. A ticket is valid only for the origin that requested it, so that must
   * be the same here. With a user's token as `authorization` the ticket is the user's.
   */
  readonly headers?: Headers | (() => Promise<Headers>) | undefined
  /** Aborts a request in flight. */
  readonly signal?: AbortSignal | undefined
  readonly request?: typeof fetch | undefined
}

export interface Tickets {
  /**
   * Gets a new ticket. Throws `TicketUnavailable` when another attempt may succeed, `ChatError` when none will, and
   * errors of the GuestKeeper. Concurrent calls share one exchange: two first exchanges would create two guests, and
   * the conversation would belong to only one of them.
   */
  renewed(): Promise<Ticket>
}

/** The network or the server could not give a ticket now; `cause` says why. */
export class TicketUnavailable extends Error {
  override readonly name = 'TicketUnavailable'
}

/** The fields of the envelope that are used here; both are absent when the response is not from MangaAssist. */
interface Answer {
  readonly data?: Ticket
  readonly error?: ErrorBody
}

const responseTimeoutMs = 15_000

export function createTickets({ url, guest, headers, signal, request = fetch }: TicketsOptions): Tickets {
  let token: string | undefined
  let inFlight: Promise<Ticket> | undefined

  async function exchange(): Promise<Ticket> {
    token ??= guest?.load()
    let answer = await ask(token)
    if (token !== undefined && !isBearerRefused(answer) && isOneOf(answer, 'UNAUTHENTICATED', 'INVALID_REQUEST')) {
      // The server no longer knows this guest, whose conversations cannot be reached any more: become a new guest.
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
    const sent = typeof headers === 'function' ? await headers() : headers
    const timeout = AbortSignal.timeout(responseTimeoutMs)
    try {
      const response = await request(url, {
        method: 'POST',
        credentials: 'omit',
        headers: { ...sent, 'content-type': 'application/json' },
        body: JSON.stringify({ guestToken }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      return ((await response.json()) as Answer | null) ?? {}
    } catch (cause) {
      throw new TicketUnavailable('The request for a ticket failed.', { cause })
    }
  }

  return {
    renewed() {
      inFlight ??= exchange().finally(() => (inFlight = undefined))
      return inFlight
    },
  }
}

/** The user's token or key is refused: that says nothing about the guest. */
function isBearerRefused({ error }: Answer): boolean {
  const reason = error?.details?.['reason']
  return typeof reason === 'string' && /^(?:token|key)-/.test(reason)
}

function isOneOf({ error }: Answer, ...codes: ErrorBody['code'][]): boolean {
  return error !== undefined && codes.includes(error.code)
}
