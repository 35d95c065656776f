// Why an answer could not be given: the server's own words, or the loss of the connection.
import type { ErrorBody } from '@mangaassist/protocol'
import type { ChatErrorCode } from './types.ts'

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
