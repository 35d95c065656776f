// The one place where a thrown error becomes a response: a Refusal keeps its code, an unavailable store is MAINTENANCE,
// anything else is INTERNAL_ERROR, logged here and not revealed. Each door (HTTP, WebSocket, SSE) calls it once per
// failure.
import { describeError } from '@mangaassist/protocol'
import type { ErrorBody, Language } from '@mangaassist/protocol'
import type { QuotaState } from '#domain/budget/quota.ts'
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { refusedWhy } from '#domain/turn-records/refused-by.ts'
import type { RefusedBy, RefusedWhy } from '#domain/turn-records/refused-by.ts'
import type { FieldsOf } from '#domain/telemetry/catalogue.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'

interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

/** Who is refused, for telemetry. */
export interface RefusedRequest {
  /** Scope of the request: the refusal ends it. */
  readonly scope?: Scope | undefined
  /** Who was refused, for the record; absent where no record is made. */
  readonly by?: RefusedBy | undefined
  /** If `by` is absent: ids for the log line, nothing personal. */
  readonly fields?: FieldsOf<'request.failed'>
}

export type Refuse = (error: unknown, language: Language, request?: RefusedRequest) => Refused

const MINUTE_S = 60
const WORD = /^[\w.[\]-]{1,64}$/
/** A pause of a store has mostly ended by then. */
const STORE_RETRY_MS = 2000

/** `note` records the refusal; absent: nothing is recorded. */
export function refuser(process: Telemetry, note?: (why: RefusedWhy, by: RefusedBy) => void): Refuse {
  return (error, language, { by, fields = {}, scope } = {}) => {
    const refusal = refusalOf(error)
    const telemetry = scope ?? process
    telemetry.count('request_refused_total', { code: refusal.code })
    const { code } = refusal
    const refused = refusedFields(refusal)
    if (code === 'QUOTA_EXCEEDED' || code === 'RATE_LIMITED' || code === 'QUEUE_FULL')
      telemetry.count('limit_refused_total', {
        code,
        scope: refused.scope === undefined ? 'none' : String(refused.scope),
      })
    if (refusal.code === 'INTERNAL_ERROR') telemetry.log('error', 'request.failed', fields, error)
    else telemetry.log('info', 'request.refused', { ...fields, ...refused })
    scope?.end(refusal.code === 'INTERNAL_ERROR' ? 'failed' : 'refused', { code: refusal.code })

    if (by !== undefined) note?.(refusedWhy(refusal), { traceId: scope?.trace?.traceId, ...by })
    const known = describeError(refusal.code, language, refusal.details)
    const retryAfterMs = refusal.retryAfterMs ?? known.retryAfterMs
    return {
      status: known.status,
      headers: {
        ...(refusal.quota === undefined ? {} : rateLimitHeaders(refusal.quota.requestsPerMinute)),
        ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
        ...(refusal.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
      },
      body: {
        code: refusal.code,
        message: known.message,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
        ...(refusal.details === undefined ? {} : { details: { ...refusal.details } }),
      },
    }
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof StoreUnavailable)) return new Refusal('INTERNAL_ERROR', { cause: error })
  return new Refusal('MAINTENANCE', {
    retryAfterMs: STORE_RETRY_MS,
    details: { reason: 'state-unavailable' },
    cause: error,
  })
}

/** Details are written for callers, so only values that look like our own identifiers are logged. */
function refusedFields({ code, details, retryAfterMs }: Refusal): FieldsOf<'request.refused'> {
  const word = (value: unknown) => (typeof value === 'string' && WORD.test(value) ? value : undefined)
  const { scope, reason, field, limit } = details ?? {}
  return {
    code,
    scope: word(scope) ?? word(limit),
    reason: word(reason) ?? word(field),
    retryAfterMs: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs),
  }
}

/** The limit of requests per minute, which a client meets first, as RateLimit header fields. */
export function rateLimitHeaders(minute: QuotaState['requestsPerMinute']): Record<string, string> {
  return {
    'ratelimit-limit': String(minute.limit),
    'ratelimit-remaining': String(Math.max(0, minute.limit - minute.used)),
    'ratelimit-reset': String(Math.ceil(minute.resetMs / 1000)),
    'ratelimit-policy': `${minute.limit};w=${MINUTE_S}`,
  }
}
