// Turns what the client of OpenSearch throws into an `EngineFailure`. The client's errors contain the request with its headers, so
// nothing of them is passed on but the status and the type of the error.
import { errors } from '@opensearch-project/opensearch'
import { EngineFailure } from '#ports/search-engine/failure.ts'

const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** No connection was made, so the request was never sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const TYPE = /^[a-z_]{1,80}$/u

export function failureOf(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error
  if (error instanceof errors.ResponseError) return ofResponse(error)
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError)
    return new EngineFailure('late', 'OpenSearch did not answer in time')
  const code = codeOf(error)
  const name = error instanceof Error ? error.name : 'an unknown error'
  const message = `OpenSearch cannot be reached (${code ?? name})`
  return new EngineFailure('unreachable', message, { mayHaveHappened: code === undefined || !NOT_SENT.has(code) })
}

function ofResponse({ body, statusCode }: InstanceType<typeof errors.ResponseError>): EngineFailure {
  const status = statusCode ?? 0
  const kind = OVERLOADED.has(status) ? 'overload' : status >= 500 ? 'unreachable' : 'refused'
  const type = typeOf(body)
  const mayHaveHappened = kind !== 'refused' && status !== 429
  return new EngineFailure(kind, `OpenSearch answered ${status}${type === undefined ? '' : ` ${type}`}`, {
    status,
    mayHaveHappened,
  })
}

/** `index_not_found_exception`; the reason beside it may quote the question. */
function typeOf(body: unknown): string | undefined {
  const error = (body as { readonly error?: unknown } | null | undefined)?.error
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  return typeof type === 'string' && TYPE.test(type) ? type : undefined
}

/** The client wraps the error of the socket, whose message begins with its code or ends with it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return /\bE[A-Z_]{3,20}\b/u.exec(error.message)?.[0]
}
