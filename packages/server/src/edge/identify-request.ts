// Who makes an HTTP request, and what becomes of the guest cookie with its answer: issued to a new guest, taken back from
// one who signed in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { cookieHeader, GUEST_COOKIE } from './auth.ts'
import type { Identify, Identity } from './auth.ts'
import { networkOf } from './network.ts'
import { addressed } from './origin.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export async function identifyRequest(
  { config, identify }: { readonly config: Config; readonly identify: Identify },
  { reply, request }: Exchange,
  takesGuestKey = false,
): Promise<Identity> {
  const { authorization, origin } = request.headers
  const identity = await identify({
    authorization,
    guestCookie: request.cookies[GUEST_COOKIE],
    origin,
    ...(takesGuestKey ? { network: networkOf(request.ip) } : {}),
  })
  const { secure } = addressed(request.raw, config.server.trustProxy)
  const cookie = cookieHeader(reply.server, identity, secure)
  // As a plain header: the plugin's own way sets it when Fastify sends, which for an event stream it does not.
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  return identity
}
