// Why an answer failed: an error of the server, or the loss of the connection.
import type { ErrorBody, ErrorCode } from '@mangaassist/protocol'

/** The server's error codes, and two that only a client can determine. */
export type ChatErrorCode = ErrorCode | 'CONNECTION_LOST' | 'CLIENT_CLOSED'

type Body = Omit<ErrorBody, 'code'> & { readonly code: ChatErrorCode }

export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly code: ChatErrorCode
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(body: Body) {
    super(body.message)
    this.code = body.code
    this.retryAfterMs = body.retryAfterMs
    this.details = body.details
  }
}
