// The guest cookie in HTTP headers. Over TLS its name has the prefix `__Host-`, which no sibling domain can set; the name
// without it, from earlier versions or plain HTTP, is read and replaced. A response that sets it is not cached.
import type { FastifyInstance } from 'fastify'

export const GUEST_COOKIE = 'ma_guest'
const HOST_COOKIE = `__Host-${GUEST_COOKIE}`
const YEAR_S = 365 * 24 * 60 * 60
/** Sent with every cookie: behind a shared cache the next visitor would become this guest. */
export const NEVER_STORED = 'private, no-store'

/** The change of the caller's cookie. */
export interface CookieChange {
  /** The value of a new cookie: the caller's is missing, invalid, or signed with a retired key. */
  readonly issueCookie?: string
  /** The cookie's guest signed in and no longer exists: the next user of this browser is a new guest. */
  readonly clearCookie?: true
}

type Cookies = Readonly<Record<string, string | undefined>>

/** The cookies of a request: `oldCookie` counts only when `guestCookie` proves nothing. */
export function guestCookiesIn(cookies: Cookies, secure: boolean) {
  return secure
    ? { guestCookie: cookies[HOST_COOKIE], oldCookie: cookies[GUEST_COOKIE] }
    : { guestCookie: cookies[GUEST_COOKIE] }
}

/** The `Set-Cookie` headers of a response; none when the caller's cookie stays. */
export function guestCookieHeaders(
  { serializeCookie }: Pick<FastifyInstance, 'serializeCookie'>,
  { clearCookie, issueCookie }: CookieChange,
  { cookies, secure }: { readonly cookies: Cookies; readonly secure: boolean },
): readonly string[] {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  const name = secure ? HOST_COOKIE : GUEST_COOKIE
  const cleared = (which: string) => serializeCookie(which, '', { ...options, maxAge: 0 })
  const old = secure && cookies[GUEST_COOKIE] !== undefined ? [cleared(GUEST_COOKIE)] : []
  if (clearCookie === true) return [cleared(name), ...old]
  return issueCookie === undefined ? [] : [serializeCookie(name, issueCookie, { ...options, maxAge: YEAR_S }), ...old]
}
