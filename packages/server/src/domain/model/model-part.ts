// What a model's stream is made of, in the words of the domain. Errors are classified where they are born, by
// what can be done about them; everyone downstream looks at the class and never at a vendor's text.

export type ModelErrorClass =
  | 'throttled'
  | 'timeout'
  | 'unavailable'
  | 'internal'
  | 'stream-broken'
  | 'not-ready'
  | 'connection'
  | 'invalid'
  | 'access-denied'
  | 'not-found'
  | 'context-too-long'
  | 'blocked'
  | 'cancelled'

export type ModelStopReason = 'end' | 'length' | 'tool-use' | 'blocked'

export interface ModelFailure {
  readonly class: ModelErrorClass
  readonly message: string
  /** The provider's wish, a floor for any delay. */
  readonly retryAfterMs?: number
}

export type ModelPart =
  | { readonly type: 'message-start'; readonly model: string }
  | { readonly type: 'text-delta'; readonly text: string }
  /** The model thinks: a sign of life that is output and is never shown. Empty where the vendor hides the words. */
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The input is all of it; what was read from and written to a cache of prompts is told beside it, where it is. */
  | {
      readonly type: 'usage'
      readonly inputTokens?: number
      readonly outputTokens?: number
      readonly cacheReadTokens?: number
      readonly cacheWriteTokens?: number
    }
  /** `vendorReason` is the vendor's own word for it, where there is one. */
  | { readonly type: 'message-end'; readonly stopReason: ModelStopReason; readonly vendorReason?: string }
  | ({ readonly type: 'model-error' } & ModelFailure)

/** What an adapter lets pass and counts, because the answer is good without it. */
export type ModelAnomaly = 'unknown-event' | 'undecodable-event' | 'unknown-stop-reason' | 'lost-after-end'

export const CANCELLED: ModelPart = { type: 'model-error', class: 'cancelled', message: 'aborted by the caller' }

export function modelError(failure: ModelFailure): ModelPart {
  return { type: 'model-error', ...failure }
}

export function messageEnd(stopReason: ModelStopReason, vendorReason: string | undefined): ModelPart {
  return { type: 'message-end', stopReason, ...(vendorReason === undefined ? {} : { vendorReason }) }
}
