// The guest cookie on the wire. Over TLS its name has the prefix `__Host-`, which no sibling domain can set a cookie
// for; the name without it, from before or from plain HTTP, is read and replaced. Whatever sets it is stored by no cache.
import type { FastifyInstance } from 'fastify'

export const GUEST_COOKIE = 'ma_guest'
const HOST_COOKIE = `__Host-${GUEST_COOKIE}`
const YEAR_S = 365 * 24 * 60 * 60
/** Sent with every cookie: behind a shared cache the next visitor would be this guest. */
export const NEVER_STORED = 'private, no-store'

/** What becomes of the caller's cookie. */
export interface CookieChange {
  /** The value of one to issue: the caller's is missing, not ours, or signed with a key that is retired. */
  readonly issueCookie?: string
  /** The guest of the cookie signed in and is nobody any more: the next user of this browser is a new one. */
  readonly clearCookie?: true
}

type Cookies = Readonly<Record<string, string | undefined>>

/** The values that a request brought: `oldCookie` counts only where `guestCookie` proves nobody. */
export function guestCookiesIn(cookies: Cookies, secure: boolean) {
  return secure
    ? { guestCookie: cookies[HOST_COOKIE], oldCookie: cookies[GUEST_COOKIE] }
    : { guestCookie: cookies[GUEST_COOKIE] }
}

/** The `Set-Cookie` headers of an answer; none when the caller's cookie stays as it is. */
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
