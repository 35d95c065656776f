// The HTTP routes as an OpenAPI 3.1 document, made from the schemas that validate requests, so it cannot promise what the
// server does not check. Built once, when the routes are known.
import {
  AcceptedFrame,
  ChatAnswer,
  ChatMetadata,
  ChatRequest,
  ChunkFrame,
  describeError,
  DoneFrame,
  ErrorBody,
  ErrorEnvelope,
  ErrorFrame,
  FaqItem,
  HeartbeatFrame,
  MetaFrame,
  ProductCard,
  ProductDetail,
  ProductItem,
  QuotaView,
  Source,
  Suggestion,
  SessionDetail,
  SessionSummary,
  SessionTurn,
  Ticket,
  TicketRequest,
} from '@mangaassist/protocol'
import type { ErrorCode } from '@mangaassist/protocol'
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import { ChatCompletion, ChatCompletionChunk } from '../openai/answer.ts'
import { OpenAiError } from '../openai/error.ts'
import { ChatCompletionRequest } from '../openai/request.ts'
import type { LeastRole } from '../operators/roles.ts'
import { errorTable, schemaBook } from './schema-book.ts'
import type { Json, JsonObject } from './schema-book.ts'

/** Errors that any route under `/api` may return. */
const COMMON_ERRORS: readonly ErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'INTERNAL_ERROR']

/** Shared schemas by name; every occurrence becomes a reference. */
const book = schemaBook({
  ChatRequest,
  ChatAnswer,
  ChatMetadata,
  ErrorBody,
  ErrorEnvelope,
  FaqItem,
  ProductCard,
  ProductDetail,
  ProductItem,
  QuotaView,
  SessionDetail,
  SessionSummary,
  SessionTurn,
  Source,
  Suggestion,
  Ticket,
  TicketRequest,
  AcceptedFrame,
  MetaFrame,
  ChunkFrame,
  DoneFrame,
  HeartbeatFrame,
  ErrorFrame,
  ChatCompletionRequest,
  ChatCompletion,
  ChatCompletionChunk,
  OpenAiError,
})
const STREAMED = ['AcceptedFrame', 'MetaFrame', 'ChunkFrame', 'DoneFrame', 'HeartbeatFrame', 'ErrorFrame'] as const

const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': 'Requests allowed in a minute',
  'RateLimit-Remaining': 'Requests left in this minute',
  'RateLimit-Reset': 'Seconds until the window is free again',
  'RateLimit-Policy': 'The limit and its window in seconds, such as `10;w=60`',
} as const

export function openApi(routes: readonly RouteOptions[]): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const route of routes.filter((candidate) => candidate.schema?.operationId !== undefined)) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    for (const method of [route.method].flat()) (paths[path] ??= {})[method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'MangaAssist',
      version: '1.0.0',
      description:
        'The chat assistant of an online manga store. Unknown fields are ignored on both sides; fields are added, never changed.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // Without credentials a caller is a guest, recognised later by its cookie.
    security: [{}, { guest: [] }, { bearer: [] }],
    paths,
    components: { schemas: book.schemas, headers: headers(), securitySchemes: securitySchemes() },
    'x-errors': errorTable(),
  }
}

function operation({ config, schema = {} }: RouteOptions): JsonObject {
  const { body, description, operationId, summary } = schema
  return {
    operationId: operationId ?? '',
    summary: summary ?? '',
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...parameters(schema, 'params'),
      ...parameters(schema, 'querystring'),
      ...(config?.streams === true && config.wire === undefined ? [LAST_EVENT_ID] : []),
    ],
    ...(config?.admin === true ? adminAccess(config.role) : {}),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      200: success(schema, config ?? {}),
      ...refusals([...(config?.errors ?? []), ...COMMON_ERRORS], config?.wire),
      ...(config?.wire === 'openai' && config.streams === true ? { 502: BROKEN_ANSWER } : {}),
    },
  }
}

/** The roles in the document come from the table that is enforced. */
function adminAccess(role: LeastRole = 'admin'): JsonObject {
  return role === 'anyone' ? { security: [{}] } : { security: [{ admin: [] }, { operator: [] }], 'x-role': role }
}

const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'How many UTF-16 units of the answer a reconnecting reader of the event stream has',
  schema: { type: 'string' },
}

function parameters(schema: FastifySchema, part: 'params' | 'querystring'): JsonObject[] {
  const { properties = {}, required = [] } = (schema[part] ?? {}) as { properties?: JsonObject; required?: string[] }
  const place = part === 'params' ? 'path' : 'query'
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: book.show(of),
  }))
}

function success({ response }: FastifySchema, { limited, streams, wire }: FastifyContextConfig): JsonObject {
  const json = (response as Record<number, unknown> | undefined)?.[200]
  return {
    description: 'Success',
    headers: headerRefs(['X-Request-Id', ...(limited === true ? Object.keys(RATE_LIMIT_HEADERS) : [])]),
    content: {
      ...(json === undefined ? {} : jsonContent(json)),
      ...(streams === true ? { 'text/event-stream': wire === undefined ? eventStream() : CHUNK_STREAM } : {}),
    },
  }
}

function eventStream(): JsonObject {
  return {
    schema: {
      type: 'string',
      description: '`event` is the type of a frame, `data` the frame as JSON, `id` the end offset of its text',
    },
    'x-events': STREAMED.map(book.ref),
  }
}

const CHUNK_STREAM: JsonObject = {
  schema: { type: 'string', description: 'Every `data` is a chunk as JSON; after the last comes `data: [DONE]`' },
  'x-events': [book.ref('ChatCompletionChunk'), book.ref('OpenAiError')],
}

const BROKEN_ANSWER: JsonObject = {
  description: 'The model broke off before its answer was complete. Once a stream has begun, the error is sent in it.',
  headers: headerRefs(['X-Request-Id', 'Retry-After']),
  content: jsonContent(OpenAiError),
}

/** One response per status; codes that share one are distinguished by `error.code`. */
function refusals(codes: readonly ErrorCode[], wire: 'openai' | undefined): JsonObject {
  const byStatus = Map.groupBy(new Set(codes), (code) => describeError(code, 'en').status)
  const retryable = new Set([409, 429, 500, 503, 504])
  const entries = [...byStatus].map(([status, of]): [string, Json] => [
    String(status),
    {
      description: of.map((code) => `${code}: ${describeError(code, 'en').message}`).join(' '),
      headers: headerRefs([
        'X-Request-Id',
        ...(retryable.has(status) ? ['Retry-After'] : []),
        ...(status === 429 ? Object.keys(RATE_LIMIT_HEADERS) : []),
      ]),
      content: jsonContent(wire === 'openai' ? OpenAiError : ErrorEnvelope),
    },
  ])
  return Object.fromEntries(entries)
}

function jsonContent(schema: unknown): JsonObject {
  return { 'application/json': { schema: book.show(schema) } }
}

function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function headers(): JsonObject {
  const described = {
    ...RATE_LIMIT_HEADERS,
    'Retry-After': 'Seconds to wait before trying again',
    'X-Request-Id': 'Names this exchange in our logs',
  }
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

function securitySchemes(): JsonObject {
  return {
    admin: {
      type: 'http',
      scheme: 'bearer',
      description: 'An admin token. `x-role` of an operation is the least role that it must have.',
    },
    operator: {
      type: 'apiKey',
      in: 'cookie',
      name: 'ma_operator',
      description:
        'The session of an operator (`POST /api/admin/session`); behind TLS its name is `__Host-ma_operator`. Changes also need `X-CSRF-Token`.',
    },
    guest: {
      type: 'apiKey',
      in: 'cookie',
      name: 'ma_guest',
      description: 'Issued on first contact; behind TLS its name is `__Host-ma_guest`.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A token (JWT) of a configured issuer, an API key, or a ticket of `POST /api/ticket`; on `/v1` also the key `guest`.',
    },
  }
}
