// Guests on pages of other sites, where our cookie is blocked: a guest token that the widget keeps, and the short-lived
// tickets it is exchanged for. A ticket is good for one guest, until its time, on pages of the origin that asked for it;
// what is carried in addresses and headers is therefore worth little to whoever finds it.
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/iso-time.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'
import type { Ticket } from '@mangaassist/protocol'
import { sign, SIGNATURE, signedBy } from './signature.ts'
import type { SigningKeys } from './signature.ts'

const TOKEN_USE = 'ma_guest_token'
const TICKET_USE = 'ma_ticket'
const TOKEN_SHAPE = new RegExp(`^(guest_\\w{1,64})\\.(${SIGNATURE})$`)
const TICKET_SHAPE = new RegExp(`^((guest_\\w{1,64})\\.(\\d{1,16}))\\.(${SIGNATURE})$`)

export interface TicketsParts {
  readonly keys: SigningKeys
  readonly chance: Chance
  readonly clock: Clock
  readonly ticketMs: number
}

export interface Tickets {
  /** For the guest of the token, or for a new one. The token comes back signed with the key in use. Throws UNAUTHENTICATED. */
  issue(guestToken: string | undefined, origin: string | undefined): Ticket
  /** Whose ticket it is. Throws UNAUTHENTICATED unless it is ours, of this origin, and in time. */
  guestOf(ticket: string, origin: string | undefined): string
}

export function createTickets({ chance, clock, keys, ticketMs }: TicketsParts): Tickets {
  function guestOfToken(token: string): string {
    const [, id, signature] = TOKEN_SHAPE.exec(token) ?? []
    if (id === undefined || signature === undefined || signedBy(TOKEN_USE, id, signature, keys) === undefined)
      throw refusal('guest-token-invalid')
    return id
  }

  return {
    issue(guestToken, origin) {
      const id = guestToken === undefined ? chance.id('guest') : guestOfToken(guestToken)
      const expiresAt = clock.now() + ticketMs
      const claim = `${id}.${expiresAt}`
      return {
        guestToken: `${id}.${sign(TOKEN_USE, id, keys)}`,
        ticket: `${claim}.${sign(TICKET_USE, bound(claim, origin), keys)}`,
        expiresAt: isoTime(expiresAt),
      }
    },

    guestOf(ticket, origin) {
      const [, claim, id, expiresAt, signature] = TICKET_SHAPE.exec(ticket) ?? []
      if (claim === undefined || id === undefined || signature === undefined) throw refusal('ticket-invalid')
      if (signedBy(TICKET_USE, bound(claim, origin), signature, keys) === undefined) throw refusal('ticket-invalid')
      if (Number(expiresAt) <= clock.now()) throw refusal('ticket-expired')
      return id
    },
  }
}

/** The origin is signed but not carried: the caller's own has to be the same. Absent is none, which no page can be. */
function bound(claim: string, origin: string | undefined): string {
  return `${claim} ${origin ?? ''}`
}

function refusal(reason: string): Refusal {
  return new Refusal('UNAUTHENTICATED', { details: { reason } })
}
