// Finds the address of the next attempt. A fixed address is validated once, at the start. Without a cookie, a key or a
// ticket, each connection would be a new guest, who cannot resume: then each attempt gets a ticket for the same guest.
import { ChatError } from './chat-error.ts'
import { networkGone } from './link.ts'
import { createTickets, TicketUnavailable } from './tickets.ts'
import type { ClientOptions } from './types.ts'

/** Rejects with `Lost` when another attempt may succeed; any other rejection is final. */
type FindAddress = () => Promise<string>

/** `closing` aborts when the client is closed. */
export function addressFinder(options: ClientOptions, closing: AbortSignal): FindAddress {
  const { url } = options
  if (typeof url === 'function') return () => askFor(url)
  const address = socketUrl(url)
  if (!needsTickets(options, address)) return async () => address.href
  return guestAddress(options, { address, closing })
}

async function askFor(url: () => Promise<string>): Promise<string> {
  let given: string
  try {
    given = await url()
  } catch (error) {
    if (error instanceof ChatError) throw error
    return Promise.reject(networkGone)
  }
  return socketUrl(given).href
}

function guestAddress(
  { guest, headers, origin }: ClientOptions,
  { address, closing }: { readonly address: URL; readonly closing: AbortSignal },
): FindAddress {
  const beside = new URL('api/ticket', address)
  beside.protocol = beside.protocol.replace('ws', 'http')
  const sent = origin === undefined ? headers : { ...headers, origin }
  const tickets = createTickets({ url: beside.href, guest, headers: sent, signal: closing })
  return async () => {
    try {
      const { ticket } = await tickets.renewed()
      address.searchParams.set('ticket', ticket)
    } catch (error) {
      // An error of the application's `GuestKeeper` is passed to the caller.
      if (!(error instanceof TicketUnavailable)) throw error
      return Promise.reject(networkGone)
    }
    return address.href
  }
}

/** Pages and their workers have a cookie; both are recognised by `location`, which other platforms do not have. */
function needsTickets({ guest, headers = {} }: ClientOptions, address: URL): boolean {
  const isKnown =
    address.searchParams.has('ticket') || Object.keys(headers).some((name) => /^(authorization|cookie)$/i.test(name))
  return !isKnown && (guest !== undefined || (globalThis as { location?: unknown }).location === undefined)
}

function socketUrl(url: string): URL {
  const parsed = new URL(url)
  parsed.protocol = parsed.protocol.replace('http', 'ws')
  if (parsed.pathname === '/') parsed.pathname = '/ws'
  return parsed
}
