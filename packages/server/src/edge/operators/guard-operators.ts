// In front of every route of the admin API: who calls (an admin token, or the cookie of a session), whether a page of ours made
// the request, how often, and whether the role suffices. Failed guesses are limited by address, operators by name, both on this node.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CSRF_HEADER } from '@mangaassist/protocol/admin'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { SpendBook } from '#lib/rates/spend-book.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { IdentifyAdmin } from '../admin/admins.ts'
import type { FindNetwork, NameNetwork } from '../http/network.ts'
import { addressed, isOwnOrigin } from '../http/origin.ts'
import { operatorCookieHeader, operatorCookieIn } from './operator-sessions.ts'
import type { OperatorSession, OperatorSessions } from './operator-sessions.ts'
import { requireRole } from './roles.ts'
import type { LeastRole } from './roles.ts'

export interface OperatorGuardParts {
  readonly clock: Clock
  readonly config: Pick<Config, 'rates' | 'server'>
  readonly identifyAdmin: IdentifyAdmin
  readonly findNetwork: FindNetwork
  readonly nameNetwork: NameNetwork
  readonly sessions: OperatorSessions
  /** Whether a session was signed out, on any node. */
  readonly isSignedOut: (id: string) => boolean
}

export interface OperatorGuard {
  /** Sets `admin` and, for a request by cookie, `operatorSession`. Throws a Refusal. */
  check(request: FastifyRequest, reply: FastifyReply): void
  /** Runs a guess at a credential: refused while the address has guessed wrong too often, and counted when it fails. */
  guessing<Result>(request: FastifyRequest, guess: () => Result): Result
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])

export function createOperatorGuard(parts: OperatorGuardParts): OperatorGuard {
  const { clock, config, findNetwork, identifyAdmin, nameNetwork, sessions } = parts
  const { server } = config
  const guesses = new SpendBook(config.rates.signIns)
  const requests = new SpendBook(config.rates.operators)

  function failed(request: FastifyRequest, error: unknown): void {
    // While an issuer cannot be reached nothing was guessed.
    if (!(error instanceof Refusal) || error.code === 'MAINTENANCE') return
    guesses.charge(findNetwork(request.raw), 1, clock.now())
    const reason = String(error.details?.['reason'])
    request.scope.log('warn', 'admin.refused', { requestId: request.id, network: nameNetwork(request.raw), reason })
  }

  function requireFewGuesses(request: FastifyRequest): void {
    const network = findNetwork(request.raw)
    const retryAfterMs = guesses.spend(network, 0, clock.now())
    if (retryAfterMs === 0) return
    guesses.charge(network, 1, clock.now())
    throw new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'sign-ins' } })
  }

  function guessing<Result>(request: FastifyRequest, guess: () => Result): Result {
    requireFewGuesses(request)
    try {
      const result = guess()
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        failed(request, error)
        throw error
      }) as Result
    } catch (error) {
      failed(request, error)
      throw error
    }
  }

  /** A request without a credential is no guess: the page of a session that has ended must not lock its address out. */
  function byCookie(request: FastifyRequest, reply: FastifyReply): OperatorSession {
    const { secure } = addressed(request.raw, server)
    const cookie = operatorCookieIn(request.cookies, secure)
    const session = cookie === undefined ? undefined : sessions.find(cookie)
    if (session === undefined || parts.isSignedOut(session.id)) {
      const reason = cookie === undefined ? 'admin-token' : 'session-ended'
      throw new Refusal('UNAUTHENTICATED', { details: { reason } })
    }
    if (session.cookie !== undefined) {
      const maxAgeMs = session.expiresAt - clock.now()
      reply.header('set-cookie', operatorCookieHeader(reply.server, session.cookie, { maxAgeMs, secure }))
    }
    return session
  }

  /** A browser sends the cookie with whatever a page asks for: a change must prove that one of our pages asked for it. */
  function requireOwnPage(request: FastifyRequest, session: OperatorSession): void {
    const { origin, 'sec-fetch-site': site } = request.headers
    const isChange = !SAFE_METHODS.has(request.method)
    // `none` is an address that the operator typed.
    const isForeign =
      (site !== undefined && site !== 'same-origin' && (isChange || site !== 'none')) ||
      (origin !== undefined && !isOwnOrigin(origin, addressed(request.raw, server), server))
    // Every browser sends one of them with a change.
    const isUnknown = isChange && site === undefined && origin === undefined
    if (isForeign || isUnknown) throw new Refusal('FORBIDDEN', { details: { reason: 'foreign-page' } })
    const given = request.headers[CSRF_HEADER]
    if (isChange && (typeof given !== 'string' || !sessions.isCsrfToken(session, given)))
      throw new Refusal('FORBIDDEN', { details: { reason: 'csrf-token', header: CSRF_HEADER } })
  }

  return {
    guessing,
    check(request, reply) {
      const role: LeastRole = request.routeOptions.config.role ?? 'admin'
      if (role === 'anyone') return
      const { authorization } = request.headers
      if (authorization === undefined) {
        request.operatorSession = byCookie(request, reply)
        requireOwnPage(request, request.operatorSession)
        request.admin = request.operatorSession
      } else {
        request.admin = guessing(request, () => identifyAdmin(authorization))
      }
      const retryAfterMs = requests.spend(request.admin.name, 1, clock.now())
      if (retryAfterMs > 0) throw new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'operator' } })
      requireRole(request.admin, role)
    },
  }
}
