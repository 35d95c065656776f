// Why a call of the admin API failed: an error of the server, or no response of a MangaAssist server at all.
import type { ErrorBody, ErrorCode } from '@mangaassist/protocol'

/**
 * The server's error codes, and three that only a client can determine:
 * - `UNREACHABLE`: no server answers at the address
 * - `TIMED_OUT`: no response in time; a change may have been made nevertheless
 * - `UNEXPECTED_ANSWER`: the response is not from MangaAssist, but for example from a proxy
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
  /** The HTTP status; undefined without a response. */
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
