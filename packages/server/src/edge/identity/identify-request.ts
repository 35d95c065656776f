// Identifies the caller of an HTTP request, and changes the guest cookie in its response: issued to a new guest, cleared
// for one who signed in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import { isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { v1TakesGuests } from '#domain/identity/v1-guests.ts'
import type { Identify, Identity } from './auth.ts'
import { guestCookieHeaders, guestCookiesIn, NEVER_STORED } from './guest-cookie.ts'
import { memberTokenIn } from './member-cookie.ts'
import type { FindNetwork } from '../http/network.ts'
import { addressed, pageOrigin } from '../http/origin.ts'

interface IdentifyParts {
  readonly config: Config
  readonly identify: Identify
  readonly findNetwork: FindNetwork
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export async function identifyRequest(
  { config, findNetwork, identify }: IdentifyParts,
  { reply, request }: Exchange,
  takesGuestKey = false,
): Promise<Identity> {
  const { authorization } = request.headers
  const asked = addressed(request.raw, config.server)
  const { secure } = asked
  const identity = await identify({
    authorization,
    ...guestCookiesIn(request.cookies, secure),
    ...memberTokenIn(request.cookies, secure),
    origin: pageOrigin(request.headers, asked, config.server),
    ...(takesGuestKey ? { network: findNetwork(request.raw) } : {}),
  })
  const cookies = guestCookieHeaders(reply.server, identity, { cookies: request.cookies, secure })
  // As plain headers, because the plugin sets them when Fastify sends, which it does not for an event stream.
  if (cookies.length > 0) reply.header('cache-control', NEVER_STORED).header('set-cookie', [...cookies])
  return identity
}

/** Like `identifyRequest`, where guests may not be allowed: they then need a key, and get no cookie either. Members of the demo are no more than guests here. */
export async function identifyOnV1(parts: IdentifyParts, exchange: Exchange): Promise<Principal> {
  const takesGuests = v1TakesGuests(parts.config)
  if (!takesGuests && exchange.request.headers.authorization === undefined) throw keyRequired()
  const { principal } = await identifyRequest(parts, exchange, takesGuests)
  if (!takesGuests && isUnproven(principal)) throw keyRequired()
  return principal
}

function keyRequired(): Refusal {
  return new Refusal('UNAUTHENTICATED', { details: { reason: 'key-required' } })
}
