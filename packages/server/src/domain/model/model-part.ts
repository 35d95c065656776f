// The parts of a model's stream, in the terms of the domain. Adapters classify errors by how we can react to them; all other
// code uses the class and never a vendor's text.
import type { VendorFault } from './vendor-fault.ts'

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
  /** The provider's Retry-After, the minimum of any delay. */
  readonly retryAfterMs?: number
  /** What the vendor or the network said, for operators. */
  readonly fault?: VendorFault
}

export type ModelPart =
  | { readonly type: 'message-start'; readonly model: string }
  | { readonly type: 'text-delta'; readonly text: string }
  /** Reasoning of the model: a sign of life that counts as output and is never shown. Empty if the vendor hides the text. */
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** `inputTokens` is the whole input, including the tokens read from and written to a prompt cache, if those are reported. */
  | {
      readonly type: 'usage'
      readonly inputTokens?: number
      readonly outputTokens?: number
      readonly cacheReadTokens?: number
      readonly cacheWriteTokens?: number
      /** The structure of what the vendor sent, without texts, where a figure of it could not be used. */
      readonly raw?: string
    }
  /** `vendorReason` is the vendor's own name of the reason, if there is one. */
  | { readonly type: 'message-end'; readonly stopReason: ModelStopReason; readonly vendorReason?: string }
  | ({ readonly type: 'model-error' } & ModelFailure)

/** An irregularity that an adapter ignores and counts, because the answer is still good. */
export type ModelAnomaly = 'unknown-event' | 'undecodable-event' | 'unknown-stop-reason' | 'lost-after-end'

export const CANCELLED: ModelPart = { type: 'model-error', class: 'cancelled', message: 'aborted by the caller' }

export function modelError(failure: ModelFailure): ModelPart {
  return { type: 'model-error', ...failure }
}

export function messageEnd(stopReason: ModelStopReason, vendorReason: string | undefined): ModelPart {
  return { type: 'message-end', stopReason, ...(vendorReason === undefined ? {} : { vendorReason }) }
}
