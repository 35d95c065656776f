// A language model: one request, one stream of parts. Ends and errors are parts of the stream, never
// exceptions or silence; errors are classified where they are born. The stream is
// `message-start (reasoning-delta | text-delta | usage)* (message-end | model-error)`, or a `model-error` alone.
import type { Language } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ModelMessage } from '#domain/model/model-message.ts'
import type { ModelPart } from '#domain/model/model-part.ts'

export type { ContentPart, ModelMessage } from '#domain/model/model-message.ts'
export type { ModelErrorClass, ModelPart, ModelStopReason } from '#domain/model/model-part.ts'

export interface ModelRequest {
  /** Names the call in samples; absent where it is of no turn. */
  readonly turnId?: string
  readonly system: string
  /** Alternating, starting and ending with the user. */
  readonly messages: readonly ModelMessage[]
  /** What was retrieved, as data; the prompt already carries it as fenced text. */
  readonly grounding: Grounding
  readonly language: Language
  /** What the shopper has of this answer; it is to go on there. The prompt asks for it too, of models that read it. */
  readonly shown?: string
  readonly maxOutputTokens: number
  /** Absent: the vendor's own. */
  readonly temperature?: number
  /** The moment, in milliseconds since the epoch, by which the call must be over, whatever it has said by then. */
  readonly deadlineAt: number
  /** Aborting it ends the call and the bill. */
  readonly signal: AbortSignal
}

export interface Model {
  /** The vendor's id, which the price list knows. */
  readonly id: string
  /** What it costs and takes; a model without facts is free and has no limits of its own. */
  readonly facts?: ModelFacts
  /** How many events of its answers could not be read, since it was made; absent where nothing is decoded. */
  undecodableEvents?(): number
  stream(request: ModelRequest): AsyncIterable<ModelPart>
  /** What the vendor itself counts for a prompt, free of charge; undefined, or absent, where it does not. May throw. */
  countTokens?(prompt: Pick<ModelRequest, 'system' | 'messages' | 'signal'>): Promise<number | undefined>
}
