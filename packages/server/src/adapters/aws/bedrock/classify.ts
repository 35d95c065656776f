// Maps the errors of the AWS SDK, thrown before a stream or inside it, to the failure classes of the model port.
import { classOfStatus, failure, networkFailureOf, refine } from '#domain/model/model-failure.ts'
import type { ModelErrorClass, ModelFailure } from '#domain/model/model-part.ts'
import { requestIdIn } from '#domain/model/vendor-fault.ts'
import type { FaultSeen } from '#domain/model/vendor-fault.ts'
import { retryAfterMs } from '#lib/time/retry-after.ts'

const BY_NAME: Readonly<Record<string, ModelErrorClass>> = {
  ThrottlingException: 'throttled',
  TooManyRequestsException: 'throttled',
  ModelNotReadyException: 'not-ready',
  ModelTimeoutException: 'timeout',
  ServiceUnavailableException: 'unavailable',
  InternalServerException: 'internal',
  ModelErrorException: 'internal',
  ModelStreamErrorException: 'stream-broken',
  ValidationException: 'invalid',
  ConflictException: 'invalid',
  ResourceNotFoundException: 'not-found',
  AccessDeniedException: 'access-denied',
  UnrecognizedClientException: 'access-denied',
  InvalidSignatureException: 'access-denied',
  MissingAuthenticationTokenException: 'access-denied',
  ExpiredTokenException: 'access-denied',
  // A quota of the account: waiting does not help.
  ServiceQuotaExceededException: 'access-denied',
  CredentialsProviderError: 'access-denied',
  TokenProviderError: 'access-denied',
}

interface AwsError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

/** `hasBegun`: parts of the answer have arrived, so a lost connection is a broken stream. */
export function classifyBedrockError(thrown: unknown, nowMs: number, hasBegun: boolean): ModelFailure {
  const error = (thrown instanceof Error ? thrown : new Error(String(thrown))) as AwsError
  // The SDK gives an unknown exception its name from the wire, which begins in lower case.
  const named = BY_NAME[error.name.charAt(0).toUpperCase() + error.name.slice(1)]
  if (named !== undefined) return named === 'throttled' ? throttled(error, nowMs) : refined(named, error)
  // Checked before the name, because the SDK also calls a reset connection a timeout.
  const network = networkFailureOf(error, hasBegun)
  if (network !== undefined) return network
  if (error.name === 'TimeoutError') return failure('timeout', error.message, { codes: [error.name] })
  const status = error.$metadata?.httpStatusCode
  if (status !== undefined && status >= 400) {
    const byStatus = classOfStatus(status)
    return byStatus === 'throttled' ? throttled(error, nowMs) : refined(byStatus, error)
  }
  // All other errors are framing errors: a wrong checksum, an invalid frame.
  return failure('stream-broken', `${error.name}: ${error.message}`, seenOf(error))
}

function refined(general: ModelErrorClass, error: AwsError): ModelFailure {
  return failure(
    refine(general, error.$metadata?.httpStatusCode ?? 400, error.message),
    `${error.name}: ${error.message}`,
    seenOf(error),
  )
}

function throttled(error: AwsError, nowMs: number): ModelFailure {
  const waitMs = retryAfterMs(error.$response?.headers?.['retry-after'], nowMs)
  const failed = failure('throttled', `${error.name}: ${error.message}`, seenOf(error))
  return waitMs === undefined ? failed : { ...failed, retryAfterMs: waitMs }
}

function seenOf({ name, message, $metadata, $response }: AwsError): FaultSeen {
  const requestId = $metadata?.requestId ?? requestIdIn($response?.headers)
  return { status: $metadata?.httpStatusCode, codes: [name], message, requestId }
}
