// Refusals and broken answers in the format of OpenAI's clients, whose retries and error classes depend on the status,
// `type` and `code`. In English, for developers.
import type { ErrorBody, ErrorCode } from '@mangaassist/protocol'
import Type from 'typebox'
import type { Static } from 'typebox'
import { translateHttpError } from '../http/http-error.ts'
import { UnfinishedAnswer } from './answer.ts'
import { messageOf, parameterMessage } from './words.ts'
import type { Refuse } from '../http/refuse.ts'
import type { RefusedBy } from '#domain/turn-records/refused-by.ts'
import type { Scope } from '#ports/telemetry/port.ts'

export const OpenAiError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    /** The invalid parameter, such as `messages[0].content`. */
    param: Type.Union([Type.String(), Type.Null()]),
    code: Type.Union([Type.String(), Type.Null()]),
  }),
})

export interface OpenAiRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Static<typeof OpenAiError>
}

interface Words {
  readonly type: string
  readonly code: string | null
}

const INVALID = 'invalid_request_error'
const SERVER = 'server_error'
const INSUFFICIENT_QUOTA = 'insufficient_quota'
const RETRY_MS = 2000
/** The header that OpenAI's clients check first: they retry every other 429. */
const NO_RETRY = { 'x-should-retry': 'false' } as const

const WORDS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  QUOTA_EXCEEDED: { type: INSUFFICIENT_QUOTA, code: INSUFFICIENT_QUOTA },
  RATE_LIMITED: { type: 'requests', code: 'rate_limit_exceeded' },
  QUEUE_FULL: { type: 'requests', code: 'rate_limit_exceeded' },
  MODEL_TIMEOUT: { type: SERVER, code: 'timeout' },
  UNAUTHENTICATED: { type: INVALID, code: 'invalid_api_key' },
  FORBIDDEN: { type: INVALID, code: 'forbidden' },
  NOT_FOUND: { type: INVALID, code: 'not_found' },
  PAYLOAD_TOO_LARGE: { type: INVALID, code: 'request_too_large' },
  CONTENT_BLOCKED: { type: INVALID, code: 'content_filter' },
  INTERNAL_ERROR: { type: SERVER, code: 'internal_error' },
  MAINTENANCE: { type: SERVER, code: 'service_unavailable' },
}

interface Failure extends Words {
  readonly status: number
  readonly message: string
  readonly retryAfterMs?: number
  /** A retry would give the same error: OpenAI's clients must not retry. */
  readonly isFinal?: true
}

const unavailable: Failure = {
  status: 503,
  type: SERVER,
  code: 'model_unavailable',
  message: 'The model is unavailable. The request can be retried.',
  retryAfterMs: RETRY_MS,
}
const budgetReached = { status: 503, type: SERVER, code: 'budget_reached', isFinal: true } as const
const late: Failure = {
  status: 504,
  type: SERVER,
  code: 'timeout',
  message: 'The model did not complete its answer in time. The request can be retried.',
  retryAfterMs: RETRY_MS,
}
const broken: Failure = {
  status: 502,
  type: SERVER,
  code: 'model_error',
  message: 'The model broke off before its answer was complete. The request can be retried.',
  retryAfterMs: RETRY_MS,
}

/** By the class of the model's error or the finish reason; all others are `broken`. */
export const FAILURES: Readonly<Record<string, Failure>> = {
  throttled: { ...unavailable, code: 'model_overloaded' },
  unavailable,
  'not-ready': unavailable,
  connection: unavailable,
  'circuit-open': unavailable,
  saturated: { ...unavailable, code: 'model_overloaded' },
  'queue-full': {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too many requests are waiting for the model. Retry after the number of seconds in the Retry-After header.',
    retryAfterMs: RETRY_MS,
  },
  'no-time': late,
  cancelled: unavailable,
  stopped: unavailable,
  timeout: late,
  invalid: { status: 400, type: INVALID, code: null, message: 'The model did not accept this request.' },
  'context-too-long': {
    status: 400,
    type: INVALID,
    code: 'context_length_exceeded',
    message: 'The messages are longer than the context window of the model.',
  },
  // A configuration error of the shop: the provider refuses our account, or does not have the model.
  'access-denied': {
    status: 502,
    type: SERVER,
    code: 'model_error',
    message: 'The provider of the model rejected the credentials of this server.',
    isFinal: true,
  },
  'not-found': {
    status: 502,
    type: SERVER,
    code: 'model_error',
    message: 'The provider does not have the model.',
    isFinal: true,
  },
  'tool-use': {
    status: 502,
    type: SERVER,
    code: 'model_error',
    message: 'The model called a tool that was not offered.',
    isFinal: true,
  },
  'store-budget': { ...budgetReached, message: 'The budget of this server for today is used up.' },
  'guests-budget': { ...budgetReached, message: 'The budget for guests is used up for today.' },
  budget: {
    status: 429,
    type: INSUFFICIENT_QUOTA,
    code: INSUFFICIENT_QUOTA,
    message: 'The remaining quota does not cover an answer of this model.',
    isFinal: true,
  },
}

/** The counterpart of `Refuse` for `/v1`. */
export function openAiRefuser(refuse: Refuse): (error: unknown, scope?: Scope, by?: RefusedBy) => OpenAiRefusal {
  return (thrown, scope, by) => {
    const error = translateHttpError(thrown)
    if (error instanceof UnfinishedAnswer) {
      const { failure, retryAfterMs } = error
      return refusalOfFailure({
        ...(FAILURES[failure] ?? broken),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      })
    }
    const { body, headers, status } = refuse(error, 'en', { scope, by })
    const isFinal = body.code === 'QUOTA_EXCEEDED'
    return {
      status,
      headers: { ...withOpenAiLimits(headers), ...(isFinal ? NO_RETRY : {}) },
      body: { error: errorFrom(body) },
    }
  }
}

function refusalOfFailure({ code, message, retryAfterMs, status, type, isFinal }: Failure): OpenAiRefusal {
  return {
    status,
    headers: {
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
      ...(isFinal === true ? NO_RETRY : {}),
    },
    body: { error: { message, type, param: null, code } },
  }
}

/** Whether an address belongs to `/v1`, existing or not. */
export const isOnV1 = (url = ''): boolean => /^\/v1(?:[/?]|$)/.test(url)

/** The error for an unknown address. */
export function unknownUrl(method: string, url: string): OpenAiRefusal {
  const message = `Invalid URL (${method} ${url.split('?')[0]})`
  return { status: 404, headers: {}, body: { error: { message, type: INVALID, param: null, code: 'unknown_url' } } }
}

/** Parts of a request that are not parameters of the call. */
const NO_PARAMS: ReadonlySet<unknown> = new Set(['body', 'content-type', 'request'])

function errorFrom({ code, details = {} }: ErrorBody): Static<typeof OpenAiError>['error'] {
  const { field, reason } = details as { field?: unknown; reason?: unknown }
  const param = typeof field === 'string' && !NO_PARAMS.has(field) ? paramOf(field) : null
  const words = WORDS[code] ?? { type: INVALID, code: null }
  if (code === 'NOT_FOUND' && field === 'model')
    return { ...words, message: 'The model does not exist or is not configured.', param, code: 'model_not_found' }
  if (code !== 'INVALID_REQUEST' || typeof reason !== 'string')
    return { ...words, message: messageOf(code, details), param: code === 'UNAUTHENTICATED' ? null : param }
  if (reason === 'context-too-long') {
    const message = `The messages have about ${String(details['length'])} tokens; the model takes at most ${String(details['limit'])}.`
    return { ...words, message, param, code: 'context_length_exceeded' }
  }
  const special = typeof details['code'] === 'string' ? details['code'] : null
  return { ...words, message: parameterMessage(param ?? String(field), reason), param, code: special }
}

function paramOf(field: string): string {
  return field.replaceAll(/\.(\d+)/g, '[$1]')
}

/** Adds the limits per minute under the names that OpenAI's clients read. */
export function withOpenAiLimits(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds } = headers
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return headers
  return {
    ...headers,
    'x-ratelimit-limit-requests': limit,
    'x-ratelimit-remaining-requests': remaining,
    'x-ratelimit-reset-requests': `${resetSeconds}s`,
  }
}
