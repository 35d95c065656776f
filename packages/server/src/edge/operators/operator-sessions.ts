// The session of an operator in a browser: a sealed cookie, so that no node stores sessions and all accept them. It has a
// bounded life and ends after an idle time; its CSRF token is a signature of its id, so that a page that cannot read our responses
// cannot make a change with the cookie.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Admin } from '../admin/admins.ts'
import { seal, sign, unseal } from '../identity/signature.ts'
import type { SigningKeys } from '../identity/signature.ts'
import type { OperatorProof, Operators } from './operators.ts'

export const OPERATOR_COOKIE = 'ma_operator'
const HOST_COOKIE = `__Host-${OPERATOR_COOKIE}`
const CSRF_USE = 'ma_operator_csrf'
const COOKIE_LENGTH_MAX = 4096
/** The cookie is written again when it was last written so long ago: not in every response. */
const RENEW_MS = 60_000
/** Sessions that were signed out at this node; far more than there are operators. */
const ENDED_MAX = 10_000

/** What the cookie contains. */
interface Sealed {
  readonly id: string
  readonly proof: OperatorProof
  readonly startedAt: number
  readonly seenAt: number
}

export interface OperatorSession extends Admin {
  readonly id: string
  readonly by: OperatorProof['by']
  readonly csrfToken: string
  /** The end of its life, whatever is done with it. */
  readonly expiresAt: number
  readonly idleMs: number
  /** The value of the cookie to send; undefined while the browser's is good enough. */
  readonly cookie?: string
}

export interface OperatorSessionsParts {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly random: Random
  readonly operators: Pick<Operators, 'operatorOf'>
  readonly lifeMs: number
  readonly idleMs: number
}

export interface OperatorSessions {
  /** Undefined when the configuration does not have the operator. */
  open(proof: OperatorProof): OperatorSession | undefined
  /** Undefined for a cookie that is not ours, has expired, was signed out, or whose operator the configuration no longer has. */
  find(cookie: string): OperatorSession | undefined
  isCsrfToken(session: Pick<OperatorSession, 'csrfToken'>, given: string): boolean
  /** Ends the session on this node; the other nodes, and later starts, read the end from `AdminStore`. */
  end(session: Pick<OperatorSession, 'id' | 'expiresAt'>): void
}

export function createOperatorSessions(parts: OperatorSessionsParts): OperatorSessions {
  const { clock, idleMs, keys, lifeMs, operators, random } = parts
  const ended = new BoundedMap<string, number>(ENDED_MAX)

  function session(sealed: Sealed, isRenewed: boolean): OperatorSession | undefined {
    const operator = operators.operatorOf(sealed.proof)
    if (operator === undefined) return undefined
    return {
      ...operator,
      id: sealed.id,
      by: sealed.proof.by,
      csrfToken: sign(CSRF_USE, sealed.id, keys),
      expiresAt: sealed.startedAt + lifeMs,
      idleMs,
      ...(isRenewed ? { cookie: seal(OPERATOR_COOKIE, JSON.stringify(sealed), keys) } : {}),
    }
  }

  return {
    open(proof) {
      const now = clock.now()
      return session({ id: random.id('operator'), proof, startedAt: now, seenAt: now }, true)
    },
    find(cookie) {
      const text = cookie.length > COOKIE_LENGTH_MAX ? undefined : unseal(OPERATOR_COOKIE, cookie, keys)
      if (text === undefined) return undefined
      const sealed = JSON.parse(text) as Sealed
      const now = clock.now()
      if (now >= sealed.startedAt + lifeMs || now >= sealed.seenAt + idleMs || ended.has(sealed.id)) return undefined
      const isRenewed = now - sealed.seenAt >= RENEW_MS
      return session(isRenewed ? { ...sealed, seenAt: now } : sealed, isRenewed)
    },
    isCsrfToken({ csrfToken }, given) {
      const [expected, bytes] = [Buffer.from(csrfToken), Buffer.from(given)]
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
    end: ({ expiresAt, id }) => void ended.set(id, expiresAt),
  }
}

type Cookies = Readonly<Record<string, string | undefined>>

/** Behind TLS only the name that no sibling domain can set. */
export function operatorCookieIn(cookies: Cookies, secure: boolean): string | undefined {
  return cookies[secure ? HOST_COOKIE : OPERATOR_COOKIE]
}

/** The `Set-Cookie` header; with undefined the browser deletes the cookie. */
export function operatorCookieHeader(
  { serializeCookie }: Pick<FastifyInstance, 'serializeCookie'>,
  value: string | undefined,
  { maxAgeMs, secure }: { readonly maxAgeMs: number; readonly secure: boolean },
): string {
  return serializeCookie(secure ? HOST_COOKIE : OPERATOR_COOKIE, value ?? '', {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure,
    maxAge: value === undefined ? 0 : Math.ceil(maxAgeMs / 1000),
  })
}
