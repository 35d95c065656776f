// Why a request of the console failed, as its screens show it. A lost connection is no error of the server: it is shown calmly, and
// the console keeps trying.
import { AdminError } from '@mangaassist/client/admin'

type FailureKind = 'lost' | 'signed-out' | 'forbidden' | 'missing' | 'refused'

export interface ScreenFailure {
  readonly kind: FailureKind
  readonly message: string
  /** How long the server asks to wait. */
  readonly retryAfterMs: number
}

export function screenFailureOf(error: unknown): ScreenFailure {
  if (!(error instanceof AdminError)) return { kind: 'refused', message: messageOf(error), retryAfterMs: 0 }
  return { kind: kindOf(error), message: forOperators(error), retryAfterMs: error.retryAfterMs ?? 0 }
}

/** The message of an error is for shoppers; what is wrong with which field is in its details. */
function forOperators({ details = {}, message }: AdminError): string {
  const { field, reason } = details
  return typeof field === 'string' && typeof reason === 'string' ? `${field} ${reason}` : message
}

/** Whether the change may have been made although the call failed. */
export function mayBeDone(error: unknown): boolean {
  return error instanceof AdminError && error.code === 'TIMED_OUT'
}

function kindOf({ code }: AdminError): FailureKind {
  if (code === 'UNREACHABLE' || code === 'TIMED_OUT' || code === 'UNEXPECTED_ANSWER') return 'lost'
  if (code === 'UNAUTHENTICATED') return 'signed-out'
  if (code === 'FORBIDDEN') return 'forbidden'
  return code === 'NOT_FOUND' ? 'missing' : 'refused'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
