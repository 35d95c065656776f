// The HTTP door: assembles Fastify from the routes, and gives every response, refusals included, our envelope, headers and
// request id. It decides nothing: that is the app's task.
import cookies from '@fastify/cookie'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ErrorEnvelope } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import type { LabelsOf } from '#domain/telemetry/catalogue.ts'
import { loggedRequestId } from '#domain/telemetry/logged-request-id.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import { adminRoutes } from '../admin/admin-routes.ts'
import { asyncApi } from '../contracts/asyncapi.ts'
import { commerceRoutes } from '../store/commerce-routes.ts'
import { chatRoutes } from './chat-routes.ts'
import { demoRoutes } from '../identity/demo-routes.ts'
import { docsRoutes } from '../contracts/docs-routes.ts'
import { feedbackRoutes } from './feedback-routes.ts'
import { handoverRoutes } from './handover-routes.ts'
import { corsHeaders, PREFLIGHT_HEADERS, securityHeaders, TLS_HEADERS } from './headers.ts'
import { formRoutes } from './forms.ts'
import { hostCheck } from './hosts.ts'
import { translateHttpError } from './http-error.ts'
import { identifyOnV1, identifyRequest } from '../identity/identify-request.ts'
import { metricsRoute } from './metrics-route.ts'
import { isOnV1, openAiRefuser, unknownUrl } from '../openai/error.ts'
import { openAiRoutes } from '../openai/routes.ts'
import { openApi } from '../contracts/openapi.ts'
import { addressed, originAllowed } from './origin.ts'
import { servePages, wantsMissingPage } from '../pages/pages.ts'
import { invalid } from './problem.ts'
import { personRoutes } from './person-routes.ts'
import { queryRoutes } from './query-routes.ts'
import { refusedBy } from './refused-by.ts'
import { beginRequestScope, routeOf } from './request-scope.ts'
import { languageOf } from './route-parts.ts'
import type { HttpParts, Routes } from './route-parts.ts'
import { staffRoutes } from '../admin/staff-routes.ts'
import { storeRoutes } from '../store/store-routes.ts'
import { missingSender, storefrontRoutes } from '../storefront/storefront-routes.ts'
import { statusRoutes } from '../pages/status-routes.ts'
import { ticketRoutes } from '../identity/ticket-routes.ts'

/** The limit of the schemas: no valid parameter is longer. */
const PARAM_LENGTH_MAX = 256
/** Time to receive a request, so that a slow sender cannot hold a socket for ever; the response is not bounded by it. */
const REQUEST_RECEIVED_MS_MAX = 30_000
/** How often Node checks for slow senders. */
const RECEIVED_CHECK_MS = 1000
/** Longer than the minute for which load balancers keep a connection. */
const KEEP_ALIVE_MS = 72_000
/** How long a response may take to reach its caller when the server closes. */
const GOODBYE_MS = 2000
const STATE_CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export async function createHttp(parts: HttpParts): Promise<Routes> {
  const { random, config, telemetry, webRoot } = parts
  const http = fastify({
    logger: false,
    // Exactly the configured number: an address that the caller wrote into the header is not trusted.
    trustProxy: (_address, hop) => config.server.trustProxy && hop < config.server.proxies,
    bodyLimit: config.server.bodyBytesMax,
    serverFactory: (serve) => gatedServer(parts, serve),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => loggedRequestId(headers['x-request-id']) ?? random.id('req'),
    // For an address that is not a URL no hook has run.
    frameworkErrors: (error, request, reply) => {
      beginRequestScope(telemetry, request, reply)
      sendRefusal(parts, { error, request, reply })
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  http.setValidatorCompiler(TypeBoxValidatorCompiler)
  // The schemas describe responses; they do not rewrite them.
  http.setSerializerCompiler(() => JSON.stringify)
  acceptJsonOnly(http)
  http.setErrorHandler((error, request, reply) => sendRefusal(parts, { error, request, reply }))
  const sendMissingPage = missingSender(parts)
  http.setNotFoundHandler((request, reply) => {
    if (isOnV1(request.url)) {
      const { body, status } = unknownUrl(request.method, request.url)
      return void reply.code(status).send(body)
    }
    if (wantsMissingPage(webRoot, request)) return sendMissingPage({ request, reply })
    sendRefusal(parts, { error: new Refusal('NOT_FOUND'), request, reply })
  })
  http.decorateRequest('principal')
  http.decorateRequest('isNewGuest', false)
  http.decorateRequest('scope')
  await http.register(cookies)

  const routes: RouteOptions[] = []
  http.addHook('onRoute', (route) => void routes.push(route))
  http.addHook('onRequest', (request, reply, done) => {
    beginRequestScope(telemetry, request, reply)
    done()
  })
  guard(http, config)
  observe(http)
  await http.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { isNewGuest = false, principal } = await identifyRequest(parts, { request, reply })
      Object.assign(request, { isNewGuest, principal })
    })
    chatRoutes(api, parts)
    feedbackRoutes(api, parts)
    queryRoutes(api, parts)
    handoverRoutes(api, parts)
    personRoutes(api, parts)
    storeRoutes(api, parts)
    commerceRoutes(api, parts)
  })
  await http.register(async (api) => adminRoutes(api, parts))
  await http.register(
    async (v1) => {
      v1.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        request.principal = await identifyOnV1(parts, { request, reply })
      })
      openAiRoutes(v1, parts)
    },
    { prefix: '/v1' },
  )
  const { demo } = parts
  if (demo !== undefined) await formRoutes(http, (forms) => demoRoutes(forms, { ...parts, demo }))
  ticketRoutes(http, parts)
  staffRoutes(http, parts)
  healthRoutes(http, parts)
  statusRoutes(http, parts)
  metricsRoute(http, parts)
  await docsRoutes(http, { openApi: openApi(routes), asyncApi: asyncApi() })
  await storefrontRoutes(http, parts)
  await servePages(http, webRoot)
  return http
}

function gatedServer({ gate }: Pick<HttpParts, 'gate'>, serve: RequestListener) {
  const times = {
    requestTimeout: REQUEST_RECEIVED_MS_MAX,
    headersTimeout: REQUEST_RECEIVED_MS_MAX,
    connectionsCheckingInterval: RECEIVED_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = createServer(times, gate.inFrontOf(serve))
  gate.attach(server)
  return server
}

/** Only JSON is parsed: a form or plain text from another site never becomes a request. */
function acceptJsonOnly(http: Routes): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(invalid('body', 'is not valid JSON'))
    }
  })
}

/** Health checks may use any host name. */
const HEALTH = new Set(['/healthz', '/readyz'])

/**
 * `.` or `..` as a segment of a path, also encoded. A proxy would resolve it and apply its rules to another path than
 * we route.
 */
const DOT_SEGMENT = /(?:\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i

/** Headers for all responses, CORS for configured origins, no foreign host, and no change of state by a foreign page. */
function guard(http: Routes, { server }: Config): void {
  const secureHeaders = securityHeaders(server)
  const isOurs = hostCheck(server)
  http.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    const asked = addressed(request.raw, server)
    // The admin API is for pages of our own and for programs: no other page may read it.
    const shared = isAdminRequest(request) ? {} : corsHeaders(origin, server)
    const headers = { ...secureHeaders, ...(asked.secure ? TLS_HEADERS : {}), ...shared }
    reply.headers({ ...headers, 'x-request-id': request.id })
    if (!isOurs(request.raw) && !HEALTH.has(request.routeOptions.url ?? ''))
      throw new Refusal('FORBIDDEN', { details: { field: 'host', reason: 'host-not-allowed' } })
    if (DOT_SEGMENT.test(request.url.split(/[?#]/, 1)[0] ?? '')) throw new Refusal('NOT_FOUND')
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return reply.code(204).headers(PREFLIGHT_HEADERS).send()
    }
    if (STATE_CHANGING.has(request.method) && !originAllowed(origin, asked, server)) throw new Refusal('FORBIDDEN')
  })
}

/** By the matched route; a preflight matches none, so by its address. */
function isAdminRequest({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith('/api/admin')
}

function observe(http: Routes): void {
  http.addHook('onResponse', async (request, reply) => {
    const { scope: telemetry } = request
    const route = routeOf(request)
    const level = reply.statusCode >= 500 ? 'warn' : 'debug'
    const fields = { requestId: request.id, method: request.method, route, status: reply.statusCode }
    telemetry.log(level, 'http.request', { ...fields, durationMs: Math.round(reply.elapsedTime) })
    telemetry.count('http_requests_total', { route, status: reply.statusCode })
    telemetry.observe('http_request_seconds', reply.elapsedTime / 1000, {
      route,
      status_class: classOf(reply.statusCode),
    })
  })
}

type StatusClass = LabelsOf<'http_request_seconds'>['status_class']

function classOf(status: number): StatusClass {
  return `${Math.floor(status / 100)}xx` as StatusClass
}

function healthRoutes(
  http: Routes,
  { mayReadFigures, readiness }: Pick<HttpParts, 'mayReadFigures' | 'readiness'>,
): void {
  http.route({ method: ['GET', 'HEAD'], url: '/healthz', handler: () => ({ status: 'alive' }) })
  http.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (request, reply) => {
      const { ready, ...shown } = await readiness.report()
      return (
        reply
          .code(ready ? 200 : 503)
          .header('cache-control', 'no-store')
          // The models and their state are not public.
          .send(mayReadFigures(request.raw) ? shown : { status: shown.status })
      )
    },
  })
}

function sendRefusal(
  { clock, nameNetwork, refuse }: Pick<HttpParts, 'clock' | 'nameNetwork' | 'refuse'>,
  failed: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): void {
  const { error, reply, request } = failed
  const by = refusedBy(request, nameNetwork)
  if (isOnV1(request.url)) {
    const { body, headers, status } = openAiRefuser(refuse)(error, request.scope, by)
    return void reply.code(status).headers(headers).header('x-request-id', request.id).send(body)
  }
  const { body, headers, status } = refuse(translateHttpError(error), languageOf(request), { scope: request.scope, by })
  const envelope: ErrorEnvelope = { success: false, error: body, metadata: { timestamp: isoTime(clock.now()) } }
  void reply
    .code(status)
    .headers(headers)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(envelope)
}

/** Lets running responses finish, then closes the other connections. */
export async function closeHttp(http: Routes, clock: Clock): Promise<void> {
  using _cut = clock.after(GOODBYE_MS, () => http.server.closeAllConnections())
  await http.close()
}
