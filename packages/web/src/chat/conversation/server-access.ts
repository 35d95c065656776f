// The chat's access to the server. On the server's own pages its cookie identifies the guest. Other sites block that
// cookie: there a guest token is remembered and exchanged for short-lived tickets for the WebSocket and requests.
import { ChatError, createTickets } from '@mangaassist/client'
import type { ClientOptions } from '@mangaassist/client'
import type { Ticket } from '@mangaassist/protocol'
import type { Memory } from '../../memory.ts'

export interface ServerAccess {
  readonly socketUrl: ClientOptions['url']
  fetch(path: string): Promise<Response>
}

export interface ServerAccessOptions {
  /** The server's origin. */
  readonly server: string
  /** The origin of the page. */
  readonly page: string
  readonly memory: Memory
  readonly request?: typeof fetch
}

/** The `reason` in the details of the error for a page that is not allowed. */
export const originRefused = 'origin-not-allowed'

const responseTimeoutMs = 15_000
/** A ticket is renewed this long before it expires: it must not expire on its way to the server. */
const renewBeforeMs = 10_000

export function createServerAccess(options: ServerAccessOptions): ServerAccess {
  const { server, page, request = fetch } = options
  if (server === page) {
    return {
      socketUrl: server,
      fetch: (path) => request(server + path, { signal: AbortSignal.timeout(responseTimeoutMs) }),
    }
  }
  const tickets = createTicketCache(options)
  const send = (path: string, { ticket }: Ticket): Promise<Response> =>
    request(server + path, {
      credentials: 'omit',
      headers: { authorization: `Bearer ${ticket}` },
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
  return {
    // A new ticket for each connection: the old one may be the reason why the last attempt failed.
    socketUrl: async () => `${server}/ws?ticket=${encodeURIComponent((await tickets.renewed()).ticket)}`,
    async fetch(path) {
      const response = await send(path, await tickets.current())
      return response.status === 401 ? send(path, await tickets.renewed()) : response
    },
  }
}

/** Gets tickets and reuses the last one until shortly before it expires. */
function createTicketCache({ server, page, memory, request = fetch }: ServerAccessOptions) {
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
   * The browser hides the refusal from a page that is not allowed: it looks like a network failure. But if the server
   * still serves the widget, which any page may load, the network works.
   */
  async function isForbidden(error: unknown): Promise<boolean> {
    if (error instanceof ChatError) return error.code === 'FORBIDDEN'
    return last === undefined && error instanceof Error && error.cause instanceof TypeError && isReachable()
  }

  function isReachable(): Promise<boolean> {
    const signal = AbortSignal.timeout(responseTimeoutMs)
    return request(`${server}/widget.js`, { mode: 'no-cors', method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    )
  }

  function notAllowed(): ChatError {
    const message = `MangaAssist: ${server} does not allow the chat on ${page}. Add "${page}" to its server.allowedOrigins.`
    // oxlint-disable-next-line no-console -- for the developer who put the widget on the page
    console.error(message)
    return new ChatError({ code: 'FORBIDDEN', message, details: { reason: originRefused } })
  }

  function current(): Promise<Ticket> {
    const fresh = last !== undefined && new Date(last.expiresAt).getTime() - renewBeforeMs > Date.now()
    return fresh && last !== undefined ? Promise.resolve(last) : renewed()
  }

  return { renewed, current }
}
