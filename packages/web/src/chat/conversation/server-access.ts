// The chat's access to the server. On the server's own pages its cookie identifies the guest. Other sites block that
// cookie: there a guest token is remembered and exchanged for short-lived tickets for the WebSocket and requests. A signed-in
// user's token is exchanged in the same way on every page, and never sent elsewhere.
import { ChatError, createTickets } from '@mangaassist/client'
import type { ClientOptions } from '@mangaassist/client'
import type { Ticket } from '@mangaassist/protocol'
import type { Memory } from '../../memory.ts'

export interface ServerAccess {
  readonly socketUrl: ClientOptions['url']
  fetch(path: string, method?: 'GET' | 'DELETE'): Promise<Response>
}

export interface ServerAccessOptions {
  /** The server's origin. */
  readonly server: string
  /** The origin of the page. */
  readonly page: string
  readonly memory: Memory
  /** The signed-in user's token, null for a guest. */
  readonly token?: () => Promise<string | null>
  /** The server does not accept the user's token, nor the one that replaced it. */
  readonly tokenRefused?: () => void
  readonly request?: typeof fetch
}

/** The `reason` in the details of the error for a page that is not allowed. */
export const originRefused = 'origin-not-allowed'

const responseTimeoutMs = 15_000
/** A ticket is renewed this long before it expires: it must not expire on its way to the server. */
const renewBeforeMs = 10_000

export function createServerAccess(options: ServerAccessOptions): ServerAccess {
  const { server, page, request = fetch } = options
  const isOwnPage = server === page
  const givenToken = options.token
  const token = givenToken && (() => givenToken().catch(lateAsLost))
  const tickets = createTicketCache(token === undefined ? options : { ...options, token })
  const byCookie = (path: string, init: RequestInit): Promise<Response> =>
    request(server + path, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) })
  const byTicket = (path: string, init: RequestInit, { ticket }: Ticket): Promise<Response> =>
    byCookie(path, { ...init, credentials: 'omit', headers: { authorization: `Bearer ${ticket}` } })
  const hasCookie = async (): Promise<boolean> => isOwnPage && ((await token?.()) ?? null) === null
  const ticketUrl = (ticket: string): string => `${server}/ws?ticket=${encodeURIComponent(ticket)}`

  return {
    // A new ticket for each connection: the old one may be the reason why the last attempt failed.
    socketUrl:
      isOwnPage && token === undefined
        ? server
        : async () => ((await hasCookie()) ? server : ticketUrl((await tickets.renewed()).ticket)),
    async fetch(path, method = 'GET') {
      if (await hasCookie()) return byCookie(path, { method })
      const response = await byTicket(path, { method }, await tickets.current())
      return response.status === 401 ? byTicket(path, { method }, await tickets.renewed()) : response
    },
  }
}

/** Gets tickets and reuses the last one until shortly before it expires. */
function createTicketCache({ server, page, memory, token, tokenRefused, request = fetch }: ServerAccessOptions) {
  const isOwnPage = server === page
  let bearer: string | null = null
  const tickets = createTickets({
    url: `${server}/api/ticket`,
    // On the server's own pages the guest is the cookie's, who is sent along so that the user adopts the conversations.
    ...(isOwnPage
      ? {}
      : {
          guest: {
            load: () => memory.recall().guestToken,
            save: (guestToken) => memory.remember({ guestToken }),
            forget: () => memory.remember({ guestToken: undefined, sessionId: undefined }),
          },
        }),
    request: isOwnPage ? (url, init) => request(url, { ...init, credentials: 'same-origin' }) : request,
    headers: async () => {
      bearer = (await token?.()) ?? null
      return bearer === null ? {} : { authorization: `Bearer ${sendable(bearer)}` }
    },
  })
  let last: Ticket | undefined
  /** Whose `last` is. */
  let lastBearer: string | null = null

  async function renewed(): Promise<Ticket> {
    try {
      // A token that expired on its way is replaced once.
      last = await tickets.renewed().catch((error: unknown) => {
        if (isTokenRefused(error)) return tickets.renewed()
        throw error
      })
      lastBearer = bearer
      return last
    } catch (error) {
      if (isTokenRefused(error)) tokenRefused?.()
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

  async function current(): Promise<Ticket> {
    const isSame = lastBearer === ((await token?.()) ?? null)
    const isFresh = last !== undefined && new Date(last.expiresAt).getTime() - renewBeforeMs > Date.now()
    return isFresh && isSame && last !== undefined ? last : renewed()
  }

  return { renewed, current }
}

/** Each further attempt would wait as long for the page: the question fails at once, and the reader tries again. */
function lateAsLost(error: unknown): never {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  throw isLate ? new ChatError({ code: 'CONNECTION_LOST', message: error.message }) : error
}

/**
 * Replaces a token that cannot be in a header, such as an error page of the shop: the browser would report it as a
 * failure of the network, while the server refuses the replacement with a clear error.
 */
function sendable(bearer: string): string {
  return /^[\w.~+/=-]{1,8000}$/.test(bearer) ? bearer : 'unreadable'
}

/** The server takes a text that is no JSON Web Token for an API key, so its refusal may name a key. */
function isTokenRefused(error: unknown): boolean {
  const reason = error instanceof ChatError ? error.details?.['reason'] : undefined
  return typeof reason === 'string' && /^(?:token|key)-/.test(reason)
}
