// Signing in and out with a browser, and who is signed in. A session is opened with an admin token or with a token of an issuer
// whose claim names a role; the browser keeps it as a cookie that no script can read.
import { SessionView, SignedOut, SignInRequest } from '@mangaassist/protocol/admin'
import type { SessionView as View } from '@mangaassist/protocol/admin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { NEVER_STORED } from '../identity/guest-cookie.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { addressed, isOwnOrigin } from '../http/origin.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { capabilitiesOf } from './capabilities.ts'
import type { OperatorGuard } from './guard-operators.ts'
import { operatorCookieHeader } from './operator-sessions.ts'
import type { OperatorSession } from './operator-sessions.ts'

const signIn = {
  schema: {
    operationId: 'adminSignIn',
    summary: 'Sign in with a browser',
    description:
      'Answers a session cookie (`HttpOnly`, `SameSite=Strict`, behind TLS `__Host-`) and the token that every change by cookie must carry as ' +
      '`X-CSRF-Token`. Programs need no session: they send the admin token with each request.',
    body: SignInRequest,
    response: answers(SessionView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'RATE_LIMITED', 'MAINTENANCE'] },
} satisfies RouteDescription

const getSession = {
  schema: {
    operationId: 'adminGetSession',
    summary: 'Who is signed in, in which role and until when, and which optional parts this server has',
    response: answers(SessionView),
  },
  config: { admin: true },
} satisfies RouteDescription

const signOut = {
  schema: {
    operationId: 'adminSignOut',
    summary: 'End the session of the cookie',
    description: 'The session ends on every node, also for copies of its cookie.',
    response: answers(SignedOut),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

type SessionParts = Pick<HttpParts, 'app' | 'clock' | 'config' | 'operators' | 'operatorSessions'> & {
  readonly guard: OperatorGuard
}

export function adminSessionRoutes(api: Routes, parts: SessionParts): void {
  const { app, clock, config, guard, operators, operatorSessions } = parts
  const { success } = envelopes(clock)
  const ofShop = { timeZone: config.store.timeZone, capabilities: capabilitiesOf(config) }

  function setCookie(request: FastifyRequest, reply: FastifyReply, session: OperatorSession | undefined): void {
    const { secure } = addressed(request.raw, config.server)
    const maxAgeMs = session === undefined ? 0 : session.expiresAt - clock.now()
    const cookie = operatorCookieHeader(reply.server, session?.cookie, { maxAgeMs, secure })
    reply.header('cache-control', NEVER_STORED).header('set-cookie', cookie)
  }

  function viewOf({ by, csrfToken, expiresAt, idleMs, name, role }: OperatorSession): View {
    return { name, role, by, expiresAt: isoTime(expiresAt), idleMs, csrfToken, ...ofShop }
  }

  api.post('/api/admin/session', signIn, async (request, reply) => {
    const { origin } = request.headers
    // No page of another origin may sign a browser in, not even one that may use the chat.
    if (origin !== undefined && !isOwnOrigin(origin, addressed(request.raw, config.server), config.server))
      throw new Refusal('FORBIDDEN', { details: { reason: 'foreign-page' } })
    const session = await guard.guessing(request, async () => {
      const opened = operatorSessions.open(await operators.prove(request.body.token))
      if (opened === undefined) throw new Refusal('UNAUTHENTICATED', { details: { reason: 'admin-token' } })
      return opened
    })
    await app.admin.noteSignIn(session)
    setCookie(request, reply, session)
    return success(viewOf(session))
  })

  api.get('/api/admin/session', getSession, async ({ admin: { name, role }, operatorSession }) =>
    success<View>(operatorSession === undefined ? { name, role, by: 'token', ...ofShop } : viewOf(operatorSession)),
  )

  api.delete('/api/admin/session', signOut, async (request, reply) => {
    const session = request.operatorSession
    if (session === undefined) throw invalid('session', 'is missing: this request was made with a token')
    operatorSessions.end(session)
    await app.admin.endSession(session)
    setCookie(request, reply, undefined)
    return success({ signedOut: true as const })
  })
}
