// A language model: one request, one stream of parts. Ends and errors are parts of the stream, never
// exceptions or silence; errors are classified where they are born. The stream is
// `message-start (reasoning-delta | text-delta | usage)* (message-end | model-error)`, or a `model-error` alone.
import type { Language } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ModelMessage } from '#domain/model/model-message.ts'
import type { ModelPart } from '#domain/model/model-part.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'

export type { ContentPart, ModelMessage } from '#domain/model/model-message.ts'
export type { ModelErrorClass, ModelPart, ModelStopReason } from '#domain/model/model-part.ts'

export interface ModelRequest {
  /** Identifies the call in samples; absent for a call outside a turn. */
  readonly turnId?: string
  readonly system: string
  /** Alternating, starting and ending with the user. */
  readonly messages: readonly ModelMessage[]
  /** The grounding as data; the prompt already contains it as fenced text. */
  readonly grounding: Grounding
  readonly language: Language
  /** The text of this answer that the shopper already has; the model must continue it. The prompt asks for that too. */
  readonly shown?: string
  readonly maxOutputTokens: number
  /** Absent: the vendor's default. */
  readonly temperature?: number
  /** The span of this call: its ids are sent to the vendor, so that the vendor's traces join ours. Absent: nothing is sent. */
  readonly trace?: TraceContext
  /** The deadline in milliseconds since the epoch: the call must end by then, complete or not. */
  readonly deadlineAt: number
  /** Aborting it ends the call and its cost. */
  readonly signal: AbortSignal
}

export interface Model {
  /** The vendor's id of the model, as in the price list. */
  readonly id: string
  /** Prices and limits; a model without facts is free and has no limits of its own. */
  readonly facts?: ModelFacts
  /** The address that its calls go to, for operators; absent for a model in the process, and where it is unknown. */
  readonly host?: string
  /** How many events could not be decoded since the model was made; absent where nothing is decoded. */
  undecodableEvents?(): number
  stream(request: ModelRequest): AsyncIterable<ModelPart>
  /**
   * The vendor's own token count of a prompt, free of charge; undefined, or absent, where the vendor has none. May throw.
   */
  countTokens?(prompt: Pick<ModelRequest, 'system' | 'messages' | 'signal'>): Promise<number | undefined>
}
