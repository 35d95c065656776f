// A request that is refused for a reason the caller can act on. Thrown by stages and queries, turned into a
// frame or a response once, at the edge; anything else that is thrown becomes INTERNAL_ERROR there.
import type { ErrorCode } from '@mangaassist/protocol'
import type { QuotaState } from './budget/quota.ts'

export interface RefusalContext {
  readonly retryAfterMs?: number
  /** Facts for the developer, such as the field and its limit. Shown to the caller: nothing private. */
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
