// The cookie that tells the visitors of the demo apart: its value gives access to that visitor's accounts of the members. Scripts cannot read it,
// and no form of another site sends it. It outlives a sign-in, so that the visitor finds the same accounts again.
import type { FastifyInstance } from 'fastify'

const VISITOR_COOKIE = 'ma_visitor'
const VISITOR = /^[0-9a-f]{32}$/
/** As long as carts are stored by default. */
const LIFE_S = 90 * 24 * 60 * 60

const nameOf = (secure: boolean): string => (secure ? `__Host-${VISITOR_COOKIE}` : VISITOR_COOKIE)

/** The visitor in the cookies of a request. */
export function visitorIn(cookies: Readonly<Record<string, string | undefined>>, secure: boolean): string | undefined {
  const visitor = cookies[nameOf(secure)] ?? ''
  return VISITOR.test(visitor) ? visitor : undefined
}

export function visitorCookieHeader(
  { serializeCookie }: Pick<FastifyInstance, 'serializeCookie'>,
  visitor: string,
  secure: boolean,
): string {
  return serializeCookie(nameOf(secure), visitor, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    maxAge: LIFE_S,
  })
}
