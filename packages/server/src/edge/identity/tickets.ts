// Short-lived tickets. Pages use them instead of a cookie, which browsers block on other sites, or instead of a token,
// which a browser cannot send with a WebSocket. A guest gets a ticket for the guest token that the widget stores, a user
// for the token or key. A ticket is valid for one principal, until its expiry, on pages of the origin that requested it, so
// it is worth little to a finder.
import { GUEST_TIER } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ticket } from '@mangaassist/protocol'
import type { Proved } from './bearer.ts'
import { seal, sign, SIGNATURE, signedBy, unseal } from './signature.ts'
import type { SigningKeys } from './signature.ts'

const TOKEN_USE = 'ma_guest_token'
const TICKET_USE = 'ma_ticket'
const SIGNED_IN_USE = 'ma_signed_in_ticket'
const TOKEN_SHAPE = new RegExp(`^(guest_\\w{1,64})\\.(${SIGNATURE})$`)
const GUEST_TICKET = {
  use: TICKET_USE,
  shape: new RegExp(`^((guest_\\w{1,64})\\.(\\d{1,16}))\\.(${SIGNATURE})$`),
}
const SIGNED_IN_TICKET = {
  use: SIGNED_IN_USE,
  shape: new RegExp(`^(ticket_([\\w-]{1,4096})\\.(\\d{1,16}))\\.(${SIGNATURE})$`),
}

export interface TicketsParts {
  readonly keys: SigningKeys
  readonly random: Random
  readonly clock: Clock
  readonly ticketMs: number
}

export interface Tickets {
  /**
   * For the token's guest, or for a new one. The token is returned with the current key's signature. Throws
   * UNAUTHENTICATED.
   */
  issue(guestToken: string | undefined, origin: string | undefined): Ticket
  /**
   * For a signed-in user, valid at most until the proof expires. Also returns a guest token, for the time after the user
   * has signed out.
   */
  issueFor(proved: Proved, guestToken: string | undefined, origin: string | undefined): Ticket
  /** The guest of a guest token. Throws UNAUTHENTICATED. */
  guestOfToken(guestToken: string): string
  /**
   * The holder of a ticket, and the expiry of its proof. Throws UNAUTHENTICATED unless it is ours, of this origin, and in
   * time.
   */
  holderOf(ticket: string, origin: string | undefined): Proved
}

export function guest(id: string): Principal {
  return { id, kind: 'guest', tier: GUEST_TIER }
}

export function createTickets({ random, clock, keys, ticketMs }: TicketsParts): Tickets {
  function guestOfToken(token: string): string {
    const [, id, signature] = TOKEN_SHAPE.exec(token) ?? []
    if (id === undefined || signature === undefined || signedBy(TOKEN_USE, { text: id, signature }, keys) === undefined)
      throw refusal('guest-token-invalid')
    return id
  }

  const guestTokenFor = (id: string): string => `${id}.${sign(TOKEN_USE, id, keys)}`

  function ticketFor(
    { holder, expiresAt }: { readonly holder: string; readonly expiresAt: number },
    origin: string | undefined,
    use: string,
  ): Omit<Ticket, 'guestToken'> {
    const claim = `${holder}.${expiresAt}`
    return { ticket: `${claim}.${sign(use, bound(claim, origin), keys)}`, expiresAt: isoTime(expiresAt) }
  }

  /** The holder as written in the ticket. */
  function open(ticket: string, origin: string | undefined, { use, shape }: typeof GUEST_TICKET): string {
    const [, claim, holder, expiresAt, signature] = shape.exec(ticket) ?? []
    if (claim === undefined || holder === undefined || signature === undefined) throw refusal('ticket-invalid')
    if (signedBy(use, { text: bound(claim, origin), signature }, keys) === undefined) throw refusal('ticket-invalid')
    if (Number(expiresAt) <= clock.now()) throw refusal('ticket-expired')
    return holder
  }

  return {
    guestOfToken,

    issue(guestToken, origin) {
      const id = guestToken === undefined ? random.id('guest') : guestOfToken(guestToken)
      return {
        guestToken: guestTokenFor(id),
        ...ticketFor({ holder: id, expiresAt: clock.now() + ticketMs }, origin, TICKET_USE),
      }
    },

    issueFor(proved, guestToken, origin) {
      const expiresAt = Math.floor(Math.min(clock.now() + ticketMs, proved.expiresAt ?? Infinity))
      // Sealed, because tickets appear in addresses, which proxies log, and a user's id is often an e-mail address.
      const holder = `ticket_${seal(SIGNED_IN_USE, JSON.stringify(proved), keys)}`
      const ticket = ticketFor({ holder, expiresAt }, origin, SIGNED_IN_USE)
      return { guestToken: guestToken ?? guestTokenFor(random.id('guest')), ...ticket }
    },

    holderOf(ticket, origin) {
      if (!ticket.startsWith('ticket_')) return { principal: guest(open(ticket, origin, GUEST_TICKET)) }
      const holder = open(ticket, origin, SIGNED_IN_TICKET)
      const proved = unseal(SIGNED_IN_USE, holder, keys)
      if (proved === undefined) throw refusal('ticket-invalid')
      return JSON.parse(proved) as Proved
    },
  }
}

/**
 * The origin is signed but not contained in the ticket: the caller must have the same one. Without an origin the ticket is
 * for a program, not for a page.
 */
function bound(claim: string, origin: string | undefined): string {
  return `${claim} ${origin ?? ''}`
}

function refusal(reason: string): Refusal {
  return new Refusal('UNAUTHENTICATED', { details: { reason } })
}
