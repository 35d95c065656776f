// Who is asking. A guest is known by a signed cookie and by nothing else; a cookie that is missing, malformed or
// tampered with makes a new guest, never an error. A credential that cannot be verified is never taken for a guest.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Principal } from '#domain/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Chance } from '#ports/chance.ts'

export const GUEST_COOKIE = 'ma_guest'
const GUEST_TIER = 'free'
const YEAR_S = 365 * 24 * 60 * 60
const COOKIE_SHAPE = /^(guest_\w{1,64})\.([\w-]{43})$/

interface Credentials {
  readonly authorization: string | undefined
  readonly guestCookie: string | undefined
}

interface Identity {
  readonly principal: Principal
  /** The value of a guest cookie to issue: the caller's is missing, not ours, or signed with a key that is retired. */
  readonly issueCookie?: string
}

export type Identify = (credentials: Credentials) => Identity

interface AuthParts {
  /** The first signs; all verify, so that a key can be retired without losing anyone. */
  readonly cookieKeys: readonly [Uint8Array, ...Uint8Array[]]
  readonly chance: Chance
}

export function authenticator({ chance, cookieKeys }: AuthParts): Identify {
  return ({ authorization, guestCookie }) => {
    // No issuer is configured that could vouch for it.
    if (authorization !== undefined) throw new Refusal('UNAUTHENTICATED')
    const known = guestCookie === undefined ? undefined : verify(guestCookie, cookieKeys)
    const id = known?.id ?? chance.id('guest')
    const principal: Principal = { id, kind: 'guest', tier: GUEST_TIER }
    return known?.current === true ? { principal } : { principal, issueCookie: `${id}.${sign(id, cookieKeys[0])}` }
  }
}

export function guestCookieOptions(secure: boolean) {
  return { httpOnly: true, sameSite: 'lax', path: '/', maxAge: YEAR_S, secure } as const
}

function verify(cookie: string, keys: readonly Uint8Array[]): { id: string; current: boolean } | undefined {
  const [, id, signature] = COOKIE_SHAPE.exec(cookie) ?? []
  if (id === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature)
  const index = keys.findIndex((key) => timingSafeEqual(given, Buffer.from(sign(id, key))))
  return index < 0 ? undefined : { id, current: index === 0 }
}

/** Named by its use, so that no other signature made with the key passes for a guest's. */
function sign(guestId: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${GUEST_COOKIE}:${guestId}`).digest('base64url')
}
