// The way to the server. On the server's own pages its cookie says who we are. On another site that cookie is blocked:
// there a guest token is kept, and exchanged for a short-lived ticket that opens the WebSocket and the requests.
import { ChatError } from '@mangaassist/client'
import type { ClientOptions } from '@mangaassist/client'
import type { ErrorEnvelope } from '@mangaassist/protocol'
import type { Memory } from '../memory.ts'

export interface Door {
  readonly socketUrl: ClientOptions['url']
  fetch(path: string): Promise<Response>
}

export interface DoorOptions {
  /** An origin, as is `page`. */
  readonly server: string
  readonly page: string
  readonly memory: Memory
  readonly request?: typeof fetch
}

interface Ticket {
  readonly ticket: string
  readonly expiresAtMs: number
}
type TicketEnvelope =
  | { readonly success: true; readonly data: { guestToken: string; ticket: string; expiresAt: string } }
  | ErrorEnvelope

/** Why a page of another site is refused, in the details of the error. */
export const originRefused = 'origin-not-allowed'

const answerWithinMs = 15_000
/** A ticket that ends while it is on its way is no ticket. */
const spareMs = 10_000

export function createDoor(options: DoorOptions): Door {
  const { server, page, request = fetch } = options
  if (server === page) {
    return {
      socketUrl: server,
      fetch: (path) => request(server + path, { signal: AbortSignal.timeout(answerWithinMs) }),
    }
  }
  const tickets = createTickets(options)
  const send = (path: string, { ticket }: Ticket): Promise<Response> =>
    request(server + path, {
      credentials: 'omit',
      headers: { authorization: `Bearer ${ticket}` },
      signal: AbortSignal.timeout(answerWithinMs),
    })
  return {
    // A new one each time: the old one may be why the last attempt failed.
    socketUrl: async () => `${server}/ws?ticket=${encodeURIComponent((await tickets.renewed()).ticket)}`,
    async fetch(path) {
      const response = await send(path, await tickets.current())
      return response.status === 401 ? send(path, await tickets.renewed()) : response
    },
  }
}

function createTickets({ server, page, memory, request = fetch }: DoorOptions) {
  let last: Ticket | undefined
  let underWay: Promise<Ticket> | undefined

  /** One at a time: two first ones at once would make two guests, and the conversation would belong to one of them. */
  function renewed(): Promise<Ticket> {
    underWay ??= exchange().finally(() => (underWay = undefined))
    return underWay
  }

  async function exchange(): Promise<Ticket> {
    const { guestToken } = memory.recall()
    let response = await firstPost(guestToken === undefined ? {} : { guestToken })
    if (response.status === 401 && guestToken !== undefined) {
      // What that guest said is out of reach now: begin again as a new one.
      memory.remember({ guestToken: undefined, sessionId: undefined })
      response = await post({})
    }
    const envelope = (await response.json()) as TicketEnvelope
    if (!envelope.success) throw response.status === 403 ? notAllowed() : refusal(response.status, envelope)
    const { data } = envelope
    memory.remember({ guestToken: data.guestToken })
    last = { ticket: data.ticket, expiresAtMs: new Date(data.expiresAt).getTime() }
    return last
  }

  /**
   * To a page that is not allowed the browser does not show the refusal: it looks like a dead network. A server that
   * still gives the widget, which is for any page, is not dead.
   */
  async function firstPost(body: object): Promise<Response> {
    try {
      return await post(body)
    } catch (error) {
      if (last === undefined && error instanceof TypeError && (await isThere())) throw notAllowed()
      throw error
    }
  }

  function isThere(): Promise<boolean> {
    const signal = AbortSignal.timeout(answerWithinMs)
    return request(`${server}/widget.js`, { mode: 'no-cors', method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    )
  }

  function notAllowed(): ChatError {
    const message = `MangaAssist: ${server} does not allow the chat on ${page}. Add "${page}" to its server.allowedOrigins.`
    // oxlint-disable-next-line no-console -- whoever put the widget there looks here
    console.error(message)
    return new ChatError({ code: 'FORBIDDEN', message, details: { reason: originRefused } })
  }

  function post(body: object): Promise<Response> {
    return request(`${server}/api/ticket`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerWithinMs),
    })
  }

  function current(): Promise<Ticket> {
    const fresh = last !== undefined && last.expiresAtMs - spareMs > Date.now()
    return fresh && last !== undefined ? Promise.resolve(last) : renewed()
  }

  return { renewed, current }
}

/** Being refused for who we are is final; being busy or broken is not. */
function refusal(status: number, { error }: ErrorEnvelope): Error {
  return status === 401 ? new ChatError(error) : new Error(error.message)
}
