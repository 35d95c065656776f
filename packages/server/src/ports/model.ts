// A language model: one request, one stream of parts. Ends and errors are parts of the stream, never
// exceptions or silence; errors are classified where they are born. The stream is
// `message-start (text-delta | usage)* (message-end | model-error)`, or a `model-error` alone.
import type { Language } from '@mangaassist/protocol'
import type { Grounding } from '#domain/grounding.ts'

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface ModelRequest {
  readonly system: string
  /** Alternating, starting and ending with the user. */
  readonly messages: readonly ModelMessage[]
  /** What was retrieved, as data; the prompt already carries it as fenced text. */
  readonly grounding: Grounding
  readonly language: Language
  readonly maxOutputTokens: number
  readonly temperature: number
  /** Aborting it ends the call and the bill. */
  readonly signal: AbortSignal
}

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

export type ModelPart =
  | { readonly type: 'message-start'; readonly model: string }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'usage'; readonly inputTokens?: number; readonly outputTokens?: number }
  | { readonly type: 'message-end'; readonly stopReason: ModelStopReason }
  | {
      readonly type: 'model-error'
      readonly class: ModelErrorClass
      readonly message: string
      readonly retryAfterMs?: number
    }

export interface Model {
  /** The vendor's id, which the price list knows. */
  readonly id: string
  stream(request: ModelRequest): AsyncIterable<ModelPart>
}
