// Refuses a request for a reason that the caller can act on. Stages and services throw it, and the edge turns it into a
// frame or a response; the edge turns any other error into INTERNAL_ERROR.
import type { ErrorCode } from '@mangaassist/protocol'
import type { QuotaState } from './budget/quota.ts'

export interface RefusalContext {
  readonly retryAfterMs?: number
  /** Facts for the developer, such as the field and its limit. The caller sees them: nothing private. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly quota?: QuotaState
  readonly cause?: unknown
}

export class Refusal extends Error {
  readonly code: ErrorCode
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly quota: QuotaState | undefined

  constructor(code: ErrorCode, context: RefusalContext = {}) {
    super(code, context.cause === undefined ? {} : { cause: context.cause })
    this.name = 'Refusal'
    this.code = code
    this.retryAfterMs = context.retryAfterMs
    this.details = context.details
    this.quota = context.quota
  }
}
