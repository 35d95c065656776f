// Issues tickets: to a widget on another site, and to a signed-in user's page for the WebSocket. For a guest no cookie is
// read or set here: the token in the body identifies it. A user who signs in adopts the conversations of that token's or a
// cookie's guest.
import { Ticket, TicketRequest } from '@mangaassist/protocol'
import { Refusal } from '#domain/refusal.ts'
import type { Identity } from './auth.ts'
import { identifyRequest } from './identify-request.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { addressed, pageOrigin } from '../http/origin.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const BEARER_TICKET = /^bearer +(guest|ticket)_/i

const issueTicket = {
  schema: {
    operationId: 'issueTicket',
    summary: 'Get a ticket, as a guest on another site or signed in',
    description:
      'Exchanges a guest token for a ticket of a few minutes, or makes a new guest. The ticket is good as `Authorization: Bearer` on `/api` and as `?ticket=` on `/ws`, from the origin that asked for it. Keep the token, ask again before `expiresAt`. With a token or key as `Authorization: Bearer` the ticket is its bearer’s, and the conversations of the guest of `guestToken` become theirs; keep the token that comes back, for who is there after signing out. A token that is refused (`details.reason` is `guest-token-invalid`) is to be forgotten.',
    body: TicketRequest,
    response: answers(Ticket),
  },
  config: { errors: ['INVALID_REQUEST', 'MAINTENANCE'] },
} satisfies RouteDescription

type TicketParts = Pick<HttpParts, 'adopt' | 'clock' | 'config' | 'findNetwork' | 'identify' | 'tickets'>

export function ticketRoutes(api: Routes, parts: TicketParts): void {
  const { adopt, clock, config, tickets } = parts
  const { success } = envelopes(clock)

  async function signedIn(
    { expiresAt, principal }: Identity,
    guestToken: string | undefined,
    origin: string | undefined,
  ) {
    const proved = { principal, ...(expiresAt === undefined ? {} : { expiresAt }) }
    const isGuests = guestToken !== undefined && principal.kind === 'user'
    const isAdopted = isGuests && (await adopt(tickets.guestOfToken(guestToken), principal))
    return tickets.issueFor(proved, isAdopted ? undefined : guestToken, origin)
  }

  api.post('/api/ticket', issueTicket, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { authorization } = request.headers
    const origin = pageOrigin(request.headers, addressed(request.raw, config.server), config.server)
    const { guestToken } = request.body
    const [, ticketOf] = BEARER_TICKET.exec(authorization ?? '') ?? []
    // A ticket appears in addresses, so it must not be a way to get another ticket.
    if (ticketOf === 'ticket') throw new Refusal('UNAUTHENTICATED', { details: { reason: 'ticket-makes-no-ticket' } })
    const isGuest = authorization === undefined || ticketOf === 'guest'
    if (isGuest) return success(tickets.issue(guestToken, origin))
    return success(await signedIn(await identifyRequest(parts, { request, reply }), guestToken, origin))
  })
}
