// The way to the server. On the server's own pages its cookie says who we are. On another site that cookie is blocked:
// there a guest token is kept, and exchanged for a short-lived ticket that opens the WebSocket and the requests.
import { ChatError, createTickets } from '@mangaassist/client'
import type { ClientOptions } from '@mangaassist/client'
import type { Ticket } from '@mangaassist/protocol'
import type { Memory } from '../../memory.ts'

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
  const tickets = createPass(options)
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

/** The tickets of this page, the last one used for as long as it is good. */
function createPass({ server, page, memory, request = fetch }: DoorOptions) {
  const tickets = createTickets({
    url: `${server}/api/ticket`,
    guest: {
      load: () => memory.recall().guestToken,
      save: (guestToken) => memory.remember({ guestToken }),
      forget: () => memory.remember({ guestToken: undefined, sessionId: undefined }),
    },
    request,
  })
  let last: Ticket | undefined

  async function renewed(): Promise<Ticket> {
    try {
      last = await tickets.renewed()
      return last
    } catch (error) {
      if (await isForbidden(error)) throw notAllowed()
      throw error
    }
  }

  /**
   * To a page that is not allowed the browser does not show the refusal: it looks like a dead network. A server that
   * still gives the widget, which is for any page, is not dead.
   */
  async function isForbidden(error: unknown): Promise<boolean> {
    if (error instanceof ChatError) return error.code === 'FORBIDDEN'
    return last === undefined && error instanceof Error && error.cause instanceof TypeError && isThere()
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

  function current(): Promise<Ticket> {
    const fresh = last !== undefined && new Date(last.expiresAt).getTime() - spareMs > Date.now()
    return fresh && last !== undefined ? Promise.resolve(last) : renewed()
  }

  return { renewed, current }
}
