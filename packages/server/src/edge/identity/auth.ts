// Identifies the caller. A user is identified by a token, a program by its key, both also by a ticket made for them; a
// guest by a signed cookie, or on pages of other sites by a ticket; a member of the demo by a token in a cookie. A missing, malformed or forged cookie makes a new
// guest, never an error; a credential that was sent on purpose and cannot be verified never makes a guest.
import { Refusal } from '#domain/refusal.ts'
import type { Random } from '#ports/random/port.ts'
import type { Adopt } from './adopt.ts'
import type { Bearer, Proved } from './bearer.ts'
import { GUEST_COOKIE } from './guest-cookie.ts'
import type { CookieChange } from './guest-cookie.ts'
import { sign, SIGNATURE, signedBy } from './signature.ts'
import type { SigningKeys } from './signature.ts'
import { guest } from './tickets.ts'
import type { Tickets } from './tickets.ts'

const COOKIE_SHAPE = new RegExp(`^(guest_\\w{1,64})\\.(${SIGNATURE})$`)
const BEARER = /^bearer +(\S+)$/i
const BEARER_TICKET = /^bearer +((?:guest|ticket)_.*)$/i
const BEARER_GUEST = /^bearer +guest$/i
const ADDRESS_USE = 'ma_v1_guest'

interface Credentials {
  readonly authorization: string | undefined
  readonly guestCookie: string | undefined
  /** The cookie without the prefix where the prefix is required: it still proves a guest, who gets a new one. */
  readonly oldCookie?: string | undefined
  /** The token in the cookie of a member of the demo. One that proves nothing any more, makes a guest. */
  readonly memberToken?: string | undefined
  /** Origin of the calling page. */
  readonly origin: string | undefined
  /** From a WebSocket's address, because a browser cannot send a header with it. */
  readonly ticket?: string | undefined
  /** The network, for clients that must send a key: with the key `guest` all callers of one network are one guest. */
  readonly network?: string | undefined
}

export interface Identity extends Proved, CookieChange {
  /** A guest that was made for this request: no cookie or ticket showed an earlier one. */
  readonly isNewGuest?: true
}

/** Throws UNAUTHENTICATED, or MAINTENANCE while the credential cannot be checked. */
export type Identify = (credentials: Credentials) => Promise<Identity>

interface AuthParts {
  readonly cookieKeys: SigningKeys
  readonly random: Random
  readonly tickets: Pick<Tickets, 'holderOf'>
  readonly bearer: Bearer
  readonly adopt: Adopt
  /** Whether a member is also known by a cookie: in the demo only. */
  readonly takesMemberCookies?: boolean
}

export function authenticator(parts: AuthParts): Identify {
  const { adopt, bearer, cookieKeys, random, takesMemberCookies = false, tickets } = parts

  async function signedIn(authorization: string, guestId: string | undefined): Promise<Identity> {
    const [, token] = BEARER.exec(authorization) ?? []
    if (token === undefined) throw new Refusal('UNAUTHENTICATED', { details: { reason: 'scheme-unknown' } })
    return withGuest(await bearer(token), guestId)
  }

  async function withGuest(proved: Proved, guestId: string | undefined): Promise<Identity> {
    const isAdopted =
      guestId !== undefined && proved.principal.kind === 'user' && (await adopt(guestId, proved.principal))
    return isAdopted ? { ...proved, clearCookie: true } : proved
  }

  /** Undefined for a token that has expired or is not ours: its bearer is a guest then, as someone who signed out. */
  async function member(token: string, guestId: string | undefined): Promise<Identity | undefined> {
    try {
      return await withGuest(await bearer(token), guestId)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') return undefined
      throw error
    }
  }

  return async ({ authorization, guestCookie, memberToken, network, oldCookie, origin, ticket }) => {
    if (network !== undefined && authorization !== undefined && BEARER_GUEST.test(authorization))
      return { principal: guest(networkGuest(network, cookieKeys)) }
    const shown = authorization === undefined ? ticket : BEARER_TICKET.exec(authorization)?.[1]
    if (shown !== undefined) return tickets.holderOf(shown, origin)
    const known = verify(guestCookie, cookieKeys) ?? asOld(verify(oldCookie, cookieKeys))
    if (authorization !== undefined) return signedIn(authorization, known?.id)
    const proved = takesMemberCookies && memberToken !== undefined ? await member(memberToken, known?.id) : undefined
    if (proved !== undefined) return proved
    const principal = guest(known?.id ?? random.id('guest'))
    if (known?.current === true) return { principal }
    const issueCookie = `${principal.id}.${sign(GUEST_COOKIE, principal.id, cookieKeys)}`
    return { principal, issueCookie, ...(known === undefined ? { isNewGuest: true } : {}) }
  }
}

/** Keyed, so that no address can be derived from the ledger. */
function networkGuest(network: string, keys: SigningKeys): string {
  const digest = Buffer.from(sign(ADDRESS_USE, network, keys), 'base64url').toString('hex')
  return `guest_v1_${digest.slice(0, 32)}`
}

interface KnownGuest {
  readonly id: string
  /** Whether it is signed with the current key, under the current name. */
  readonly current: boolean
}

function asOld(known: KnownGuest | undefined): KnownGuest | undefined {
  return known === undefined ? undefined : { ...known, current: false }
}

function verify(cookie: string | undefined, keys: SigningKeys): KnownGuest | undefined {
  const [, id, signature] = COOKIE_SHAPE.exec(cookie ?? '') ?? []
  if (id === undefined || signature === undefined) return undefined
  const signer = signedBy(GUEST_COOKIE, { text: id, signature }, keys)
  return signer === undefined ? undefined : { id, current: signer === 0 }
}
