// What the files of routes share: the parts they are given, and how a route describes itself to the contract.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ErrorCode, Language } from '@mangaassist/protocol'
import type { FastifyBaseLogger, FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import { preferredLanguage, writtenLanguage } from './accept-language.ts'
import type { Adopt } from '../identity/adopt.ts'
import type { Admin, IdentifyAdmin } from '../admin/admins.ts'
import type { Identify } from '../identity/auth.ts'
import type { Readiness } from './health.ts'
import type { FindNetwork, NameNetwork } from './network.ts'
import type { MayReadFigures } from '../admin/operators-only.ts'
import type { Refuse } from './refuse.ts'
import type { RequestGate } from './request-gate.ts'
import type { Tickets } from '../identity/tickets.ts'
import type { TranscriptLinks } from '../admin/transcript-links.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for everything under `/api` and `/v1`. */
    principal: Principal
    /** Set for everything under `/api/admin`. */
    admin: Admin
    /** Set for every request that reached the router. */
    scope: Scope
  }
  interface FastifyContextConfig {
    /** What it refuses with, besides what every route may. */
    errors?: readonly ErrorCode[]
    /** Answers with an event stream when that is asked for. */
    streams?: boolean
    /** Tells the limits in RateLimit headers. */
    limited?: boolean
    /** For operators only. */
    admin?: boolean
    /** Answers in the shapes of another API, errors included. */
    wire?: 'openai'
  }
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
  }
}

/** What the contract says of a route, and what validates it. It stands beside the handler, which is easier to read without. */
export interface RouteDescription {
  readonly schema: FastifySchema
  readonly config?: FastifyContextConfig
}

/** All that the doors are made of; a file of routes names what it uses of it. */
export interface HttpParts {
  readonly app: App
  readonly config: Config
  readonly identify: Identify
  readonly adopt: Adopt
  readonly identifyAdmin: IdentifyAdmin
  readonly mayReadFigures: MayReadFigures
  readonly tickets: Tickets
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
  /** The built pages; served when they are there. */
  readonly webRoot: string
}

export type Routes = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

/** Aborts when the caller is gone, or has been answered. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** Of what a refused caller reads. */
export function languageOf(request: FastifyRequest): Language {
  const { body } = request
  const written = typeof body === 'object' && body !== null ? writtenLanguage(body) : undefined
  return written ?? preferredLanguage(request.headers['accept-language'])
}
