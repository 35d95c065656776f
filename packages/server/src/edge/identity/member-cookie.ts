// The cookie of a member who signed in on a page of the demo: a token of the demo's issuer, verified like every other token. Scripts
// cannot read it, and no other site can send it. Over TLS its name has the prefix `__Host-`.
import type { FastifyInstance } from 'fastify'

const MEMBER_COOKIE = 'ma_member'

const nameOf = (secure: boolean): string => (secure ? `__Host-${MEMBER_COOKIE}` : MEMBER_COOKIE)

/** The member's token in the cookies of a request. */
export function memberTokenIn(cookies: Readonly<Record<string, string | undefined>>, secure: boolean) {
  const memberToken = cookies[nameOf(secure)]
  return memberToken === undefined || memberToken === '' ? {} : { memberToken }
}

/** The `Set-Cookie` header that signs a member in, or out when there is no token. */
export function memberCookieHeader(
  { serializeCookie }: Pick<FastifyInstance, 'serializeCookie'>,
  { lifeMs = 0, token = '' }: { readonly token?: string; readonly lifeMs?: number },
  secure: boolean,
): string {
  const maxAge = Math.floor(lifeMs / 1000)
  return serializeCookie(nameOf(secure), token, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge })
}
