// Who is asking. A guest is known by a signed cookie, or on pages of other sites by a ticket. A cookie that is missing,
// malformed or tampered with makes a new guest, never an error; a credential that was given on purpose and cannot be
// verified is never taken for a guest.
import type { Principal } from '#domain/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Chance } from '#ports/chance.ts'
import { sign, SIGNATURE, signedBy } from './signature.ts'
import type { SigningKeys } from './signature.ts'
import type { Tickets } from './tickets.ts'

export const GUEST_COOKIE = 'ma_guest'
const GUEST_TIER = 'free'
const YEAR_S = 365 * 24 * 60 * 60
const COOKIE_SHAPE = new RegExp(`^(guest_\\w{1,64})\\.(${SIGNATURE})$`)
const BEARER_TICKET = /^bearer +(guest_.*)$/i
const BEARER_GUEST = /^bearer +guest$/i
const ADDRESS_USE = 'ma_v1_guest'

interface Credentials {
  readonly authorization: string | undefined
  readonly guestCookie: string | undefined
  /** Of the page that asks. */
  readonly origin: string | undefined
  /** In the address of a WebSocket, which a browser gives no way to send a header with. */
  readonly ticket?: string | undefined
  /** The network, for clients that must send a key: with the key `guest` all of one network are one guest. */
  readonly network?: string | undefined
}

interface Identity {
  readonly principal: Principal
  /** The value of a guest cookie to issue: the caller's is missing, not ours, or signed with a key that is retired. */
  readonly issueCookie?: string
}

export type Identify = (credentials: Credentials) => Identity

interface AuthParts {
  readonly cookieKeys: SigningKeys
  readonly chance: Chance
  readonly tickets: Pick<Tickets, 'guestOf'>
}

export function authenticator({ chance, cookieKeys, tickets }: AuthParts): Identify {
  return ({ authorization, guestCookie, network, origin, ticket }) => {
    if (network !== undefined && authorization !== undefined && BEARER_GUEST.test(authorization))
      return { principal: guest(networkGuest(network, cookieKeys)) }
    const shown = authorization === undefined ? ticket : BEARER_TICKET.exec(authorization)?.[1]
    if (shown !== undefined) return { principal: guest(tickets.guestOf(shown, origin)) }
    // No issuer is configured that could vouch for it.
    if (authorization !== undefined) throw new Refusal('UNAUTHENTICATED')
    const known = guestCookie === undefined ? undefined : verify(guestCookie, cookieKeys)
    const principal = guest(known?.id ?? chance.id('guest'))
    if (known?.current === true) return { principal }
    return { principal, issueCookie: `${principal.id}.${sign(GUEST_COOKIE, principal.id, cookieKeys)}` }
  }
}

export function guestCookieOptions(secure: boolean) {
  return { httpOnly: true, sameSite: 'lax', path: '/', maxAge: YEAR_S, secure } as const
}

function guest(id: string): Principal {
  return { id, kind: 'guest', tier: GUEST_TIER }
}

/** Keyed, so that nobody works an address out of a ledger. */
function networkGuest(network: string, keys: SigningKeys): string {
  const digest = Buffer.from(sign(ADDRESS_USE, network, keys), 'base64url').toString('hex')
  return `guest_v1_${digest.slice(0, 32)}`
}

function verify(cookie: string, keys: SigningKeys): { id: string; current: boolean } | undefined {
  const [, id, signature] = COOKIE_SHAPE.exec(cookie) ?? []
  if (id === undefined || signature === undefined) return undefined
  const signer = signedBy(GUEST_COOKIE, id, signature, keys)
  return signer === undefined ? undefined : { id, current: signer === 0 }
}
