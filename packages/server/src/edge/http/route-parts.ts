// What the route files share: their parts, and how a route describes itself in the contract.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ErrorCode, Language } from '@mangaassist/protocol'
import type { FastifyBaseLogger, FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import { preferredLanguage, writtenLanguage } from './accept-language.ts'
import type { DemoSignIn } from '#domain/identity/demo-members.ts'
import type { Adopt } from '../identity/adopt.ts'
import type { Admin, IdentifyAdmin } from '../admin/admins.ts'
import type { Identify } from '../identity/auth.ts'
import type { Readiness } from './health.ts'
import type { FindNetwork, NameNetwork } from './network.ts'
import type { OperatorSession, OperatorSessions } from '../operators/operator-sessions.ts'
import type { Operators } from '../operators/operators.ts'
import type { LeastRole } from '../operators/roles.ts'
import type { MayReadFigures } from '../admin/operators-only.ts'
import type { Refuse } from './refuse.ts'
import type { RequestGate } from './request-gate.ts'
import type { Tickets } from '../identity/tickets.ts'
import type { TranscriptLinks } from '../admin/transcript-links.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for everything under `/api` and `/v1`. */
    principal: Principal
    /** Under `/api`: the principal is a guest that was made for this request. */
    isNewGuest: boolean
    /** Set for everything under `/api/admin`. */
    admin: Admin
    /** Set for requests under `/api/admin` by the cookie of a session. */
    operatorSession: OperatorSession | undefined
    /** Set for every request that reached the router. */
    scope: Scope
  }
  interface FastifyContextConfig {
    /** Its errors, besides those of every route. */
    errors?: readonly ErrorCode[]
    /** Responds with an event stream on request. */
    streams?: boolean
    /** Sends RateLimit headers. */
    limited?: boolean
    /** For operators only. */
    admin?: boolean
    /** The least role for it; `edge/operators/roles.ts` sets it for every route of the admin API. */
    role?: LeastRole
    /** Responds in the format of another API, errors included. */
    wire?: 'openai'
  }
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
  }
}

/**
 * The description of a route in the contract, which also validates its requests. It is separate from the handler, which is
 * easier to read without it.
 */
export interface RouteDescription {
  readonly schema: FastifySchema
  readonly config?: FastifyContextConfig
}

/** All parts of the doors; a route file names what it uses of it. */
export interface HttpParts {
  readonly app: App
  readonly config: Config
  readonly identify: Identify
  readonly adopt: Adopt
  readonly identifyAdmin: IdentifyAdmin
  readonly operators: Operators
  readonly operatorSessions: OperatorSessions
  readonly mayReadFigures: MayReadFigures
  readonly tickets: Tickets
  /** Absent where there is no demo. */
  readonly demo?: DemoSignIn
  readonly findNetwork: FindNetwork
  readonly transcripts: Pick<TranscriptLinks, 'sessionOf'>
  readonly nameNetwork: NameNetwork
  readonly gate: RequestGate
  readonly readiness: Readiness
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly refuse: Refuse
  /** All metrics of this process, as Prometheus reads them. */
  readonly metrics: () => string
  /** Folder of the built pages; served when it exists. */
  readonly webRoot: string
}

export type Routes = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

/** Aborts when the caller has left or was answered. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** Counts the body of a response in one piece when it has been sent. */
export function countBody(reply: FastifyReply, meter: ReaderMeter): void {
  reply.raw.once('finish', () => meter.sent(Number(reply.getHeader('content-length') ?? 0)))
}

/** The language of errors for a caller. */
export function languageOf(request: FastifyRequest): Language {
  const { body } = request
  const written = typeof body === 'object' && body !== null ? writtenLanguage(body) : undefined
  return written ?? preferredLanguage(request.headers['accept-language'], request.url)
}
