// Signing in and out as a member of the demo, by forms that need no script. The token goes into a cookie; the guest's cart and
// conversations follow with the next request. Each visitor has accounts of the members that no other visitor sees. Not there without the demo.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import { DEMO_MEMBERS } from '#domain/identity/demo-members.ts'
import type { DemoSignIn } from '#domain/identity/demo-members.ts'
import type { Random } from '#ports/random/port.ts'
import { formIn, ownPath } from '../http/forms.ts'
import { invalid } from '../http/problem.ts'
import type { Routes } from '../http/route-parts.ts'
import { addressed } from '../http/origin.ts'
import { NEVER_STORED } from './guest-cookie.ts'
import { memberCookieHeader } from './member-cookie.ts'
import { visitorCookieHeader, visitorIn } from './visitor-cookie.ts'

/** Too long to be guessed. */
const VISITOR_BYTES = 16

interface DemoRoutesParts {
  readonly config: Pick<Config, 'server'>
  readonly demo: DemoSignIn
  readonly random: Pick<Random, 'hex'>
}

/** `forms` is a scope that parses forms. */
export function demoRoutes(forms: Routes, { config, demo, random }: DemoRoutesParts): void {
  const secureOf = (request: FastifyRequest) => addressed(request.raw, config.server).secure
  const goOn = (reply: FastifyReply, cookies: readonly string[], next: string) =>
    reply.header('cache-control', NEVER_STORED).header('set-cookie', cookies).redirect(next, 303)

  forms.post('/sign-in', async (request, reply) => {
    const form = formIn(request)
    const member = DEMO_MEMBERS.find(({ id }) => id === form.get('member'))
    if (member === undefined) throw invalid('member', 'is not one of the demo')
    const secure = secureOf(request)
    const visitor = visitorIn(request.cookies, secure) ?? random.hex(VISITOR_BYTES)
    const token = await demo.tokenOf(member, visitor)
    const cookies = [
      memberCookieHeader(reply.server, { token, lifeMs: demo.tokenLifeMs }, secure),
      visitorCookieHeader(reply.server, visitor, secure),
    ]
    return goOn(reply, cookies, ownPath(form.get('next')))
  })

  forms.post('/sign-out', async (request, reply) =>
    goOn(reply, [memberCookieHeader(reply.server, {}, secureOf(request))], ownPath(formIn(request).get('next'))),
  )
}
