// What an error of DynamoDB's client means: whether the call may have been executed, and whether it may be made again at once.

export type DynamoFailure =
  /** The request was understood and refused by its own condition: the adapter's to handle. */
  | { readonly kind: 'condition' }
  /** Nothing was executed, and the same call may succeed in a moment: too many calls, or another one for the same item. */
  | { readonly kind: 'throttled'; readonly isConflict: boolean }
  /** No usable reply. */
  | { readonly kind: 'unavailable'; readonly mayHaveHappened: boolean }
  /** A request that DynamoDB will never accept: a defect of ours. */
  | { readonly kind: 'defect' }

const THROTTLES = new Set(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'])
const CONFLICTS = new Set(['TransactionInProgressException', 'TransactionConflictException'])
/** Reasons for which a transaction may be repeated as it is. */
const CONFLICT_REASON = 'TransactionConflict'
const REPEATABLE_REASONS = new Set([CONFLICT_REASON, 'ThrottlingError', 'ProvisionedThroughputExceeded'])
const DEFECTS = new Set([
  'ValidationException',
  'SerializationException',
  'IdempotentParameterMismatchException',
  'ItemCollectionSizeLimitExceededException',
])
/** No connection was made, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const REFUSED_MIN = 400
const FAILED_MIN = 500

export function dynamoFailureOf(error: unknown): DynamoFailure {
  if (!(error instanceof Error)) return { kind: 'unavailable', mayHaveHappened: true }
  const { name } = error
  if (name === 'ConditionalCheckFailedException') return { kind: 'condition' }
  if (name === 'TransactionCanceledException') return cancelled(error)
  if (THROTTLES.has(name) || CONFLICTS.has(name)) return { kind: 'throttled', isConflict: CONFLICTS.has(name) }
  if (DEFECTS.has(name)) return { kind: 'defect' }
  return { kind: 'unavailable', mayHaveHappened: !wasNeverExecuted(error) }
}

/** The reason for each item of a cancelled transaction, `None` where the item was in order. */
export function cancellationCodes(error: unknown): readonly string[] {
  const { CancellationReasons: reasons } = error as { CancellationReasons?: readonly { Code?: string }[] }
  return (reasons ?? []).map(({ Code }) => Code ?? 'None')
}

function cancelled(error: Error): DynamoFailure {
  const codes = cancellationCodes(error).filter((code) => code !== 'None')
  if (codes.includes('ConditionalCheckFailed')) return { kind: 'condition' }
  if (codes.length > 0 && codes.every((code) => REPEATABLE_REASONS.has(code)))
    return { kind: 'throttled', isConflict: codes.every((code) => code === CONFLICT_REASON) }
  return codes.includes('ValidationError') || codes.includes('ItemCollectionSizeLimitExceeded')
    ? { kind: 'defect' }
    : { kind: 'unavailable', mayHaveHappened: true }
}

function wasNeverExecuted(error: Error): boolean {
  if (error.name === 'CredentialsProviderError') return true
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: string }
  const status = $metadata?.httpStatusCode ?? 0
  // A missing table, a missing right, an expired token: refused before anything was done.
  return (status >= REFUSED_MIN && status < FAILED_MIN) || NEVER_SENT.has(code ?? '')
}
