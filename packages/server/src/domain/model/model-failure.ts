// Classifies errors of providers and of the network by how we can react to them. All adapters use it, so that the same
// error has the same class with every vendor.
import type { ModelErrorClass, ModelFailure } from './model-part.ts'
import { vendorFault } from './vendor-fault.ts'
import type { FaultSeen } from './vendor-fault.ts'

/** Longer messages of providers are cut, because they are written to logs. */
const MESSAGE_LENGTH_MAX = 500

const BY_STATUS: Readonly<Record<number, ModelErrorClass>> = {
  401: 'access-denied',
  // Out of credit: an operator has to act.
  402: 'access-denied',
  403: 'access-denied',
  404: 'not-found',
  408: 'timeout',
  413: 'context-too-long',
  424: 'internal',
  425: 'not-ready',
  429: 'throttled',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
  // Anthropic's "overloaded".
  529: 'unavailable',
}

/** Names and codes that are more precise than the status. */
const BY_NAME: Readonly<Record<string, ModelErrorClass>> = {
  rate_limit_error: 'throttled',
  rate_limit_exceeded: 'throttled',
  overloaded_error: 'unavailable',
  unavailable_error: 'unavailable',
  timeout_error: 'timeout',
  authentication_error: 'access-denied',
  invalid_api_key: 'access-denied',
  permission_error: 'access-denied',
  billing_error: 'access-denied',
  // The account's credit is used up: waiting does not help.
  insufficient_quota: 'access-denied',
  not_found_error: 'not-found',
  model_not_found: 'not-found',
  request_too_large: 'context-too-long',
  context_length_exceeded: 'context-too-long',
  exceed_context_size_error: 'context-too-long',
  content_filter: 'blocked',
  content_policy_violation: 'blocked',
}

const CONTEXT_TOO_LONG =
  /context (length|window|size)|(prompt|input) is too long|too many (input )?tokens|maximum (context|number of tokens)|exceeds? the (available context|maximum)/i
const CONTENT_BLOCKED = /content (filter|management policy|policy)|guardrail/i
const LOADING = /loading model|model is (still )?(loading|starting)|not ready/i

export function classOfStatus(status: number): ModelErrorClass {
  return BY_STATUS[status] ?? (status >= 500 ? 'internal' : 'invalid')
}

export interface ProviderComplaint {
  /** 200 when the error came inside a stream that had started normally. */
  readonly status: number
  readonly message: string
  /** The provider's `type`, `code` or exception name, the most precise first. */
  readonly names?: readonly unknown[]
  readonly retryAfterMs?: number | undefined
}

export function failureOf({ status, message, names = [], retryAfterMs }: ProviderComplaint): ModelFailure {
  const named = names.map((name) => (typeof name === 'string' ? BY_NAME[name] : undefined)).find(Boolean)
  const general = named ?? (status === 200 ? 'internal' : classOfStatus(status))
  return {
    ...failure(refine(general, status, message), message, { status, codes: names }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** Refines the class by the message: a refused request may be too long or blocked, an unavailable server may be loading. */
export function refine(general: ModelErrorClass, status: number, message: string): ModelErrorClass {
  if (general === 'unavailable' && LOADING.test(message)) return 'not-ready'
  if (general !== 'invalid' && !(general === 'internal' && status === 200)) return general
  if (CONTEXT_TOO_LONG.test(message)) return 'context-too-long'
  return CONTENT_BLOCKED.test(message) ? 'blocked' : general
}

/** `seen` is what else is known of it, for operators. */
export function failure(errorClass: ModelErrorClass, message: string, seen: FaultSeen = {}): ModelFailure {
  return {
    class: errorClass,
    message: message.slice(0, MESSAGE_LENGTH_MAX),
    // A call that we ended ourselves has no fault.
    ...(errorClass === 'cancelled' ? {} : { fault: vendorFault({ message, ...seen }) }),
  }
}

const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])
const TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** The class of a network error, by its code or that of its causes; undefined for any other error. */
export function networkFailureOf(error: unknown, hasBegun: boolean): ModelFailure | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code } = cause as { code?: unknown }
    // Node's messages for a body that was cut off; the same code before the headers means a failed connection.
    const isCut = hasBegun || cause.message === 'aborted' || cause.message === 'terminated'
    if (NETWORK_CODES.has(code))
      return failure(isCut ? 'stream-broken' : 'connection', `${cause.message} (${String(code)})`, { codes: [code] })
    if (TIMEOUT_CODES.has(code)) return failure('timeout', `${cause.message} (${String(code)})`, { codes: [code] })
  }
  return undefined
}
