// Why the admin API did not do what it was asked: the server's own error, or no answer from a MangaAssist at all.
import type { ErrorBody, ErrorCode } from '@mangaassist/protocol'

/**
 * The server's error codes, and what only a client can know:
 * - `UNREACHABLE`: no server answers at the address
 * - `TIMED_OUT`: none answered in time; a change may have been made all the same
 * - `UNEXPECTED_ANSWER`: something answered that is no MangaAssist, such as a proxy
 */
export type AdminErrorCode = ErrorCode | 'UNREACHABLE' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER'

interface Failure {
  readonly code: AdminErrorCode
  readonly message: string
  readonly status?: number
  readonly retryAfterMs?: number | undefined
  readonly details?: ErrorBody['details'] | undefined
  readonly cause?: unknown
}

export class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly code: AdminErrorCode
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor({ cause, code, details, message, retryAfterMs, status }: Failure) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.details = details
  }
}
