// Where a widget on another site gets its ticket. No cookie is read or set here: the token in the body says who asks.
import { EnvelopeMetadata, successEnvelope, Ticket, TicketRequest } from '@mangaassist/protocol'
import { isoTime } from '#lib/iso-time.ts'
import type { HttpParts, Routes } from './route-parts.ts'

export function ticketRoutes(api: Routes, { clock, tickets }: HttpParts): void {
  api.post(
    '/api/ticket',
    {
      schema: {
        operationId: 'issueTicket',
        summary: 'Become a guest on another site',
        description:
          'Exchanges a guest token for a ticket of a few minutes, or makes a new guest. The ticket is good as `Authorization: Bearer` on `/api` and as `?ticket=` on `/ws`, from the origin that asked for it. Keep the token, ask again before `expiresAt`. A token that is refused (`details.reason` is `guest-token-invalid`) is to be forgotten.',
        body: TicketRequest,
        response: { 200: successEnvelope(Ticket, EnvelopeMetadata) },
      },
      config: { errors: ['INVALID_REQUEST'] },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      const data = tickets.issue(request.body.guestToken, request.headers.origin)
      return { success: true as const, data, metadata: { timestamp: isoTime(clock.now()) } }
    },
  )
}
