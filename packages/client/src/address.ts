// Where the next attempt goes. A fixed address is checked once, at the start. Without a cookie, a key or a ticket to be
// known by, each connection would be another guest, who cannot resume: then each attempt gets a ticket for the same one.
import { ChatError } from './chat-error.ts'
import { networkGone } from './link.ts'
import { createTickets, TicketUnavailable } from './tickets.ts'
import type { ClientOptions } from './types.ts'

/** Rejects with `Lost` when it cannot be found out now; with anything else, for good. */
type FindAddress = () => Promise<string>

/** `closing`: nobody waits for an address any more. */
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
      // What the keeper of the token throws is its owner's to see.
      if (!(error instanceof TicketUnavailable)) throw error
      return Promise.reject(networkGone)
    }
    return address.href
  }
}

/** A page has its cookie, and so do its workers: both have a `location`, which other platforms have not. */
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
